package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Turns NVLink multicast off in NCCL, unless {@code NCCL_NVLS_ENABLE} is set: on machines whose GPUs are shared it can
 * put those of others out of service, so that only the user may turn it on.
 */
final class MulticastDefault {
    static final String VARIABLE = "NCCL_NVLS_ENABLE";

    private static final String OFF = "0";
    private static final int KEEP = 0;

    private MulticastDefault() {}

    /** What NCCL reads. */
    static String value() {
        return System.getenv().getOrDefault(VARIABLE, OFF);
    }

    /** Before NCCL's first call, since it reads its variables once. */
    @SuppressWarnings("restricted") // what this package is for
    static void apply() {
        if (System.getenv(VARIABLE) != null) {
            return;
        }
        Linker linker = Linker.nativeLinker();
        MethodHandle setenv = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("setenv"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            int result = (int) setenv.invokeExact(arena.allocateFrom(VARIABLE), arena.allocateFrom(OFF), KEEP);
            if (result != 0) {
                throw new IllegalStateException("setenv of " + VARIABLE + " failed; set it to 0 before Java starts");
            }
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

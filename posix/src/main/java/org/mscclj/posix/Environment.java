package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The environment of this process as native libraries see it. {@link System#getenv} returns a copy from the start of
 * the process instead.
 */
public final class Environment {
    private static final MethodHandle SETENV =
            CLibrary.bindWithErrno("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final int KEEP = 0;

    private Environment() {}

    /**
     * Sets a variable unless it is set. Call this before the libraries that read it start threads.
     *
     * @throws PosixException if there is no memory for it
     */
    public static void setDefault(String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            int result = (int) SETENV.invokeExact(state, arena.allocateFrom(name), arena.allocateFrom(value), KEEP);
            if (result != 0) {
                throw new PosixException("setenv of " + name, CLibrary.errno(state));
            }
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

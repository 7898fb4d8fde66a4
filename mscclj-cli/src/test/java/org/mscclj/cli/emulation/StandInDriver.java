package org.mscclj.cli.emulation;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the stand-in for the driver counts in this process, which has emulated GPUs. */
@SuppressWarnings("restricted") // calls what only tests have
public final class StandInDriver {
    private static final long PAUSE_NANOS = 10_000_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int BINDINGS = 12;

    /** Handles, addresses, mappings and bindings, among what the stand-in counts. */
    private static final List<Integer> KINDS = List.of(1, 2, 3, BINDINGS);

    private StandInDriver() {}

    /** Returns how many multicast accesses the kernels of a GPU have made. */
    public static long accesses(int gpu) {
        return call("standin_multimem_of", gpu);
    }

    /** Returns how many those of all GPUs have made. */
    static long accesses() {
        return call("standin_multimem");
    }

    /** Returns how many calls have failed because {@code STANDIN_FAIL} wants it. */
    static long failed() {
        return call("standin_failed");
    }

    /** Returns how much memory this process has bound to multicast objects that it has not left. */
    static long bindings() {
        return call("standin_live", BINDINGS);
    }

    /** Returns what lives of virtual memory, after a time in which all of it may end, as a line. */
    public static String left() {
        await(() -> KINDS.stream().allMatch(kind -> call("standin_live", kind) == 0));
        return "left: "
                + KINDS.stream()
                        .map(kind -> Long.toString(call("standin_live", kind)))
                        .collect(Collectors.joining(" "));
    }

    /** Returns how many descriptors of memory of GPUs, of multicast objects and of pipes this process has. */
    static long descriptors() {
        long _ = bindings(); // frees what no process holds any more
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.map(StandInDriver::target)
                    .filter(target -> target.matches("/memfd:standin.*|pipe:.*"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) { // closed meanwhile
            return "";
        }
    }

    /** Waits until something is so, for a limited time. */
    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Calls a function whose arguments are {@code int}. */
    private static long call(String function, Integer... arguments) {
        MemoryLayout[] layouts = Collections.nCopies(arguments.length, JAVA_INT).toArray(MemoryLayout[]::new);
        SymbolLookup driver =
                SymbolLookup.libraryLookup(Path.of(System.getProperty("mscclj.cuda.library")), Arena.global());
        try {
            return (long) Linker.nativeLinker()
                    .downcallHandle(driver.findOrThrow(function), FunctionDescriptor.of(JAVA_LONG, layouts))
                    .invokeWithArguments((Object[]) arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(function, e);
        }
    }
}

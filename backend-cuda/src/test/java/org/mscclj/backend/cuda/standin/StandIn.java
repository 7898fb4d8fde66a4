package org.mscclj.backend.cuda.standin;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The stand-ins for the driver and for NVRTC, built by the C compiler. A test class that uses them says
 * {@code @ResourceLock(StandIn.RESOURCE)}.
 */
public final class StandIn {
    /** What classes that count what lives, or make calls fail, may not share. */
    public static final String RESOURCE = "stand-in driver";

    private static final Path SOURCES = Path.of("src/test/c");
    private static final Path LIBRARIES = Path.of("target/standin").toAbsolutePath();

    private StandIn() {}

    /** What the stand-in for the driver counts; in its order. */
    public enum Kind {
        /** Retained primary contexts. */
        CONTEXTS,
        /** Handles of physical memory. */
        HANDLES,
        /** Reserved addresses. */
        RANGES,
        /** Mappings. */
        MAPPINGS,
        /** Pinned memory. */
        PINNED,
        /** Streams. */
        STREAMS,
        /** Events. */
        EVENTS,
        /** Graphs. */
        GRAPHS,
        /** Graphs that can be launched. */
        EXECUTABLES,
        /** Modules. */
        MODULES,
        /** Memory that other software has allocated. */
        ALLOCATIONS,
        /** Such memory of other processes that is open here. */
        OPENED,
        /** Memory that is bound to multicast objects. */
        BINDINGS
    }

    private static final class Built {
        static final boolean DONE = build();
    }

    @SuppressWarnings("restricted") // what this class is for
    private static final class Functions {
        static final SymbolLookup DRIVER = SymbolLookup.libraryLookup(driver(), Arena.global());
        static final SymbolLookup NVRTC = SymbolLookup.libraryLookup(nvrtc(), Arena.global());
        static final MethodHandle LIVE =
                bind(DRIVER, "standin_live", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        static final MethodHandle FAIL = bind(
                DRIVER,
                "standin_fail",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        static final MethodHandle FAULT =
                bind(DRIVER, "standin_fault", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        static final MethodHandle STALL =
                bind(DRIVER, "standin_stall", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        static final MethodHandle XID =
                bind(DRIVER, "standin_xid", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        static final MethodHandle UNREADY =
                bind(DRIVER, "standin_unready", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        static final MethodHandle WITHOUT_ATOMICS =
                bind(DRIVER, "standin_without_atomics", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        static final MethodHandle PRIORITY =
                bind(DRIVER, "standin_priority", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        static final MethodHandle FIRST_WORK =
                bind(DRIVER, "standin_first_work", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        static final MethodHandle FIRST_MET =
                bind(DRIVER, "standin_first_met", FunctionDescriptor.of(ValueLayout.JAVA_LONG));
        static final MethodHandle COMPILED =
                bind(NVRTC, "standin_compiled", FunctionDescriptor.of(ValueLayout.JAVA_INT));

        private static MethodHandle bind(SymbolLookup library, String name, FunctionDescriptor descriptor) {
            return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), descriptor);
        }
    }

    /** The stand-in for the driver. */
    public static Path driver() {
        return LIBRARIES.resolve("libcuda.so.1");
    }

    /** The stand-in for NVRTC. */
    public static Path nvrtc() {
        return LIBRARIES.resolve("libnvrtc.so.13");
    }

    /**
     * Makes this VM use the stand-ins; skips the test where they cannot be built. To be called before anything of the
     * backend.
     */
    public static void use() {
        requireBuilt();
        System.setProperty("mscclj.cuda.library", driver().toString());
        System.setProperty("mscclj.nvrtc.library", nvrtc().toString());
        System.setProperty("mscclj.nvml.library", driver().toString());
    }

    /** Skips the test if the stand-ins cannot be built. */
    public static void requireBuilt() {
        assumeTrue(
                Built.DONE, "there is no C compiler (cc) for Linux on amd64, which builds the stand-in for the driver");
    }

    private static boolean build() {
        if (!System.getProperty("os.name").equals("Linux")
                || !System.getProperty("os.arch").equals("amd64")) {
            return false;
        }
        try {
            Files.createDirectories(LIBRARIES);
            return build("standin_cuda.c", driver()) && build("standin_nvrtc.c", nvrtc());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean build(String source, Path library) throws IOException {
        List<String> command = List.of(
                "cc",
                "-shared",
                "-fPIC",
                "-O1",
                "-pthread",
                "-Wl,-soname," + library.getFileName(),
                SOURCES.resolve(source).toString(),
                "-o",
                library.toString());
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException _) {
            return false;
        }
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (compiler.waitFor() != 0) {
                throw new IllegalStateException(source + " does not compile:\n" + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return true;
    }

    /** How many of each there are. */
    public static Map<Kind, Long> live() {
        Map<Kind, Long> live = new EnumMap<>(Kind.class);
        try {
            for (Kind kind : Kind.values()) {
                live.put(kind, (long)
                        Functions.LIVE.invokeExact(List.of(Kind.values()).indexOf(kind)));
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return live;
    }

    /** The next call of a function fails; with 0 as the result, none does any more. */
    public static void fail(String function, int result) {
        fail(function, 0, result);
    }

    /** A call of a function fails, after so many that do not. */
    public static void fail(String function, int passes, int result) {
        try (Arena arena = Arena.ofConfined()) {
            Functions.FAIL.invokeExact(arena.allocateFrom(function), passes, result);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The driver keeps the calls in a GPU's context, or lets them go again. */
    public static void stall(int gpu, boolean stalls) {
        try {
            Functions.STALL.invokeExact(gpu, stalls ? 1 : 0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** NVML tells of an Xid error of a GPU, once. */
    public static void xid(int gpu, int number) {
        try {
            Functions.XID.invokeExact(gpu, number);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A kernel of a GPU has faulted: every call in its context fails from now on, and its kernels never end; with 0 as
     * the result, the GPU is whole again.
     */
    public static void fault(int gpu, int result) {
        try {
            Functions.FAULT.invokeExact(gpu, result);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on streams say so many times after work that it has not ended; negative: for ever. */
    public static void unready(int times) {
        try {
            Functions.UNREADY.invokeExact(times);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether GPUs lack native atomic operations on one another's memory from now on, as over PCIe. */
    public static void withoutAtomics(boolean without) {
        try {
            Functions.WITHOUT_ATOMICS.invokeExact(without ? 1 : 0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The priority of the stream that was made last; less is more urgent. */
    public static int priority() {
        try {
            return (int) Functions.PRIORITY.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on the first work of a stream takes so many microseconds to enqueue. */
    public static void slowFirstWork(int micros) {
        try {
            Functions.FIRST_WORK.invokeExact(micros);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** How often since then the first work of a stream was enqueued while that of another one was. */
    public static long metAtFirstWork() {
        try {
            return (long) Functions.FIRST_MET.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** How often the compiler has run. */
    public static int compiled() {
        try {
            return (int) Functions.COMPILED.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

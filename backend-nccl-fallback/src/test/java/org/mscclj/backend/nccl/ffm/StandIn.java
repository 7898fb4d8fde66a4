package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The library that stands in for NCCL: built once, where {@code MSCCLJ_NCCL_LIB} says that NCCL is. */
@SuppressWarnings("restricted") // calls what only tests have
public final class StandIn {
    private static final Path SOURCE = Path.of("src/test/c/stand_in_nccl.c");

    private StandIn() {}

    /** Builds it, or skips the test, since there is no compiler. */
    public static synchronized void require() {
        Optional<Path> compiler = Stream.of(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> Stream.of("cc", "gcc").map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(
                compiler.isPresent(), "there is no C compiler, cc or gcc, on PATH to build the stand-in for NCCL with");
        Path library = Path.of(System.getenv("MSCCLJ_NCCL_LIB"));
        try {
            if (!Files.exists(library)
                    || Files.getLastModifiedTime(library).compareTo(Files.getLastModifiedTime(SOURCE)) < 0) {
                build(compiler.get(), library);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void build(Path compiler, Path library) throws IOException {
        Files.createDirectories(library.getParent());
        Path made = Files.createTempFile(library.getParent(), "libnccl", ".so");
        Path log = library.resolveSibling("log");
        Process process = new ProcessBuilder(
                        compiler.toString(),
                        "-O1",
                        "-Wall",
                        "-shared",
                        "-fPIC",
                        "-pthread",
                        "-o",
                        made.toString(),
                        SOURCE.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        Files.move(made, library, StandardCopyOption.ATOMIC_MOVE);
    }

    /** What is alive: communicators, memory, registrations, windows, calls that wait for peers. */
    public static long live(int kind) {
        try {
            return (long) Linker.nativeLinker()
                    .downcallHandle(
                            NcclLibrary.installed().symbols().findOrThrow("stand_in_live"),
                            FunctionDescriptor.of(JAVA_LONG, JAVA_INT))
                    .invokeExact(kind);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A variable of the environment as native code sees it; empty if it is not set. */
    static String environment(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = (MemorySegment) Linker.nativeLinker()
                    .downcallHandle(
                            NcclLibrary.installed().symbols().findOrThrow("stand_in_environment"),
                            FunctionDescriptor.of(
                                    ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE)),
                                    ADDRESS))
                    .invokeExact(arena.allocateFrom(name));
            return value.address() == 0 ? "" : value.getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Memory at an address, for buffers of tests. */
    public static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}

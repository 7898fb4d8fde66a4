package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.mscclj.spi.library.LibrarySearch;

/**
 * A library that stands in for NCCL, which tests build. Variants are other files, with counts and faults of their own.
 */
@SuppressWarnings("restricted") // calls what only tests have
public final class StandIn {
    private static final Path SOURCES = Path.of("src/test/c");

    private static final Path INSTALLED = Path.of(System.getenv("MSCCLJ_NCCL_LIB"));

    /** The option with which a variant is RCCL. */
    public static final String RCCL = "-DRCCL";

    private static final Map<String, StandIn> VARIANTS = new HashMap<>();

    /** What happens in the next calls of a function. */
    public enum Fault {
        /** Nothing. */
        NONE,
        /** The call fails. */
        FAIL,
        /** The call hangs until its communicator is aborted, if a thread of NCCL carries it out. */
        HANG,
        /** The call hangs until {@link StandIn#release}. */
        HANG_FOREVER,
        /** The call succeeds, and the communicator reports an error later. */
        REPORT,
        /** The call begins after {@link StandIn#release} only. */
        DELAY
    }

    /** What the library counts. */
    public enum Kind {
        /** Communicators that are open. */
        COMMUNICATORS,
        /** Blocks of memory. */
        MEMORY,
        /** Registrations of memory. */
        REGISTRATIONS,
        /** Windows. */
        WINDOWS,
        /** Calls that wait. */
        WAITING,
        /** Operations that were created. */
        OPERATIONS,
        /** Uses of a communicator that was freed, or that another thread used; never decreases. */
        MISUSES
    }

    private final NcclLibrary library;
    private final Nccl nccl;

    private StandIn(NcclLibrary library, Nccl nccl) {
        this.library = library;
        this.nccl = nccl;
    }

    /** Returns the library that is where {@code MSCCLJ_NCCL_LIB} says, or skips the test if there is no compiler. */
    public static synchronized StandIn require() {
        return VARIANTS.computeIfAbsent("", _ -> {
            build(INSTALLED, List.of());
            return new StandIn(NcclLibrary.installed(Product.NCCL), Nccl.installed(Product.NCCL));
        });
    }

    /** Returns a variant, or skips the test if there is no compiler. */
    public static synchronized StandIn variant(String name, String... options) {
        return VARIANTS.computeIfAbsent(name, _ -> {
            NcclLibrary library = NcclLibrary.load(new NcclSearch(
                    List.of(options).contains(RCCL) ? Product.RCCL : Product.NCCL,
                    List.of(LibrarySearch.named(file(name, options).toString()))));
            return new StandIn(library, new Nccl(library));
        });
    }

    /** Returns the variant of a version. */
    public static StandIn version(NcclVersion version) {
        return variant(version.toString(), "-DVERSION=" + version.code());
    }

    /** Builds a variant, and returns its absolute path. */
    static Path file(String name, String... options) {
        Path file =
                INSTALLED.resolveSibling(name).resolve(INSTALLED.getFileName()).toAbsolutePath();
        build(file, List.of(options));
        return file;
    }

    private static void build(Path library, List<String> options) {
        Optional<Path> compiler = Stream.of(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> Stream.of("cc", "gcc").map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(
                compiler.isPresent(), "there is no C compiler, cc or gcc, on PATH to build the stand-in for NCCL with");
        try (Stream<Path> files = Files.list(SOURCES)) {
            List<Path> sources = files.sorted().toList();
            long newest = sources.stream()
                    .mapToLong(file -> file.toFile().lastModified())
                    .max()
                    .orElseThrow();
            if (!Files.exists(library) || library.toFile().lastModified() < newest) {
                compile(compiler.get(), library, sources, options);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void compile(Path compiler, Path library, List<Path> sources, List<String> options)
            throws IOException {
        Files.createDirectories(library.getParent());
        Path made = Files.createTempFile(library.getParent(), "libnccl", ".so");
        Path log = library.resolveSibling("log");
        List<String> command = new ArrayList<>(List.of(compiler.toString(), "-O0", "-Wall", "-shared", "-fPIC"));
        command.addAll(List.of("-pthread", "-fvisibility=hidden", "-o", made.toString()));
        command.addAll(options);
        sources.stream()
                .map(Path::toString)
                .filter(name -> name.endsWith(".c"))
                .sorted(Comparator.naturalOrder())
                .forEach(command::add);
        command.add("-ldl");
        Process process = new ProcessBuilder(command)
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

    /** The library. */
    public NcclLibrary library() {
        return library;
    }

    /** Its functions. */
    public Nccl nccl() {
        return nccl;
    }

    /** How many of a kind there are. */
    public long live(Kind kind) {
        try {
            return (long) function("stand_in_live", FunctionDescriptor.of(JAVA_LONG, JAVA_INT))
                    .invokeExact(kind.ordinal());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets the next calls of a function, by any thread, behave in another way. */
    public void inject(String name, Fault fault, int code, int times) {
        try (Arena arena = Arena.ofConfined()) {
            function("stand_in_inject", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT))
                    .invokeExact(arena.allocateFrom(name), fault.ordinal(), code, times);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends calls that hang, and faults. */
    public void release() {
        try {
            function("stand_in_release", FunctionDescriptor.ofVoid()).invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The number of groups that this thread has started and not ended. */
    public int depth() {
        try {
            return (int)
                    function("stand_in_depth", FunctionDescriptor.of(JAVA_INT)).invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The offset of a field of the configuration, or its size for an empty name; -1 if there is no such field. */
    long config(String field) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) function("stand_in_config", FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(field));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A variable of the environment as native code sees it; empty if it is not set. */
    String environment(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value =
                    (MemorySegment) function("stand_in_environment", FunctionDescriptor.of(Binding.text(), ADDRESS))
                            .invokeExact(arena.allocateFrom(name));
            return value.address() == 0 ? "" : value.getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private MethodHandle function(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(library.symbols().findOrThrow(name), descriptor);
    }

    /** Memory at an address, for buffers of tests. */
    public static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}

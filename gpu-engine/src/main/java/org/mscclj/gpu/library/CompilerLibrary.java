package org.mscclj.gpu.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.mscclj.posix.IntCall;
import org.mscclj.posix.NativeLibrary;
import org.mscclj.posix.TextCall;

/**
 * A library that compiles kernels, with the C interface of NVRTC. Its functions begin with a prefix of the vendor's. If
 * the library is missing, calling its functions throws. Functions return the library's result unless their javadoc
 * specifies otherwise.
 */
public final class CompilerLibrary {
    private final NativeLibrary library;
    private final IntCall version;
    private final TextCall error;
    private final IntCall create;
    private final IntCall compile;
    private final IntCall logSize;
    private final IntCall log;
    private final IntCall codeSize;
    private final IntCall code;
    private final IntCall destroy;

    /**
     * Binds the functions.
     *
     * @param prefix of the functions, as {@code nvrtc}
     * @param code what the compiled code is called in the functions that return it, as {@code CUBIN}
     */
    public CompilerLibrary(NativeLibrary library, String prefix, String code) {
        this.library = library;
        this.version = library.call(prefix + "Version", ADDRESS, ADDRESS);
        this.error = library.text(prefix + "GetErrorString");
        this.create = library.call(prefix + "CreateProgram", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
        this.compile = library.call(prefix + "CompileProgram", JAVA_LONG, JAVA_INT, ADDRESS);
        this.logSize = library.call(prefix + "GetProgramLogSize", JAVA_LONG, ADDRESS);
        this.log = library.call(prefix + "GetProgramLog", JAVA_LONG, ADDRESS);
        this.codeSize = library.call(prefix + "Get" + code + "Size", JAVA_LONG, ADDRESS);
        this.code = library.call(prefix + "Get" + code, JAVA_LONG, ADDRESS);
        this.destroy = library.call(prefix + "DestroyProgram", ADDRESS);
    }

    /** The reason why there is no library; empty if there is one. */
    public Optional<String> missing() {
        return library.where().isPresent() ? Optional.empty() : Optional.of(library.missing());
    }

    /** The file or the name by which the library was found. */
    public String where() {
        return library.where().orElse("(none)");
    }

    /** The version: {@code 13.0}. */
    public String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocate(JAVA_INT);
            MemorySegment minor = arena.allocate(JAVA_INT);
            return version.call(major, minor) == 0
                    ? major.get(JAVA_INT, 0) + "." + minor.get(JAVA_INT, 0)
                    : "of unknown version";
        }
    }

    /** The symbolic name of a result. */
    public String errorName(int result) {
        return error.call(result);
    }

    /** Creates a program without headers. */
    int create(MemorySegment program, String name, String source) {
        try (Arena arena = Arena.ofConfined()) {
            return create.call(
                    program,
                    arena.allocateFrom(source),
                    arena.allocateFrom(name),
                    0,
                    MemorySegment.NULL,
                    MemorySegment.NULL);
        }
    }

    int compile(long program, List<String> options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointers = arena.allocate(ADDRESS, options.size());
            for (int i = 0; i < options.size(); i++) {
                pointers.setAtIndex(ADDRESS, i, arena.allocateFrom(options.get(i)));
            }
            return compile.call(program, options.size(), pointers);
        }
    }

    /** The compiler's log; may be empty. */
    String log(long program) {
        byte[] text = read(program, logSize, log).orElse(new byte[0]);
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        return new String(text, 0, length, StandardCharsets.UTF_8).strip();
    }

    /** The code for one architecture; empty if there is none. */
    Optional<byte[]> code(long program) {
        return read(program, codeSize, code).filter(made -> made.length > 0);
    }

    private static Optional<byte[]> read(long program, IntCall size, IntCall content) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(JAVA_LONG);
            if (size.call(program, bytes) != 0) {
                return Optional.empty();
            }
            MemorySegment to = arena.allocate(bytes.get(JAVA_LONG, 0), 1);
            return content.call(program, to) == 0 ? Optional.of(to.toArray(JAVA_BYTE)) : Optional.empty();
        }
    }

    void destroy(MemorySegment program) {
        int _ = destroy.call(program);
    }
}

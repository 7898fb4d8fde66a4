package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.NativeLibrary;

/**
 * NVRTC of CUDA 12 or 13; the functions that are used are equal in both. They return NVRTC's result unless their
 * javadoc specifies otherwise.
 */
public final class Nvrtc {
    private static final NativeLibrary LIBRARY =
            NativeLibrary.find(NvrtcPlaces.candidates(), NvrtcPlaces.MISSING, UnsupportedException::new);

    private static final MethodHandle VERSION =
            LIBRARY.bind("nvrtcVersion", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle ERROR =
            LIBRARY.bind("nvrtcGetErrorString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    private static final MethodHandle CREATE = LIBRARY.bind(
            "nvrtcCreateProgram",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle COMPILE =
            LIBRARY.bind("nvrtcCompileProgram", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS));
    private static final MethodHandle LOG_SIZE =
            LIBRARY.bind("nvrtcGetProgramLogSize", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle LOG =
            LIBRARY.bind("nvrtcGetProgramLog", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle CUBIN_SIZE =
            LIBRARY.bind("nvrtcGetCUBINSize", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle CUBIN =
            LIBRARY.bind("nvrtcGetCUBIN", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle DESTROY =
            LIBRARY.bind("nvrtcDestroyProgram", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    private static final long MAX_TEXT = 1024;

    private Nvrtc() {}

    /** The reason why there is no NVRTC; empty if there is one. */
    public static Optional<String> missing() {
        return LIBRARY.where().isPresent() ? Optional.empty() : Optional.of(LIBRARY.missing());
    }

    /** The file or the name by which the library was found. */
    public static String where() {
        return LIBRARY.where().orElse("(none)");
    }

    /** {@code nvrtcVersion}: "13.0". */
    public static String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocate(JAVA_INT);
            MemorySegment minor = arena.allocate(JAVA_INT);
            int result = (int) VERSION.invokeExact(major, minor);
            return result == 0 ? major.get(JAVA_INT, 0) + "." + minor.get(JAVA_INT, 0) : "of unknown version";
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code nvrtcGetErrorString}: the symbolic name of a result. */
    @SuppressWarnings("restricted") // a pointer to a constant
    public static String errorName(int result) {
        try {
            MemorySegment text = (MemorySegment) ERROR.invokeExact(result);
            return text.reinterpret(MAX_TEXT).getString(0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code nvrtcCreateProgram}, without headers. */
    public static int create(MemorySegment program, String name, String source) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) CREATE.invokeExact(
                    program,
                    arena.allocateFrom(source),
                    arena.allocateFrom(name),
                    0,
                    MemorySegment.NULL,
                    MemorySegment.NULL);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code nvrtcCompileProgram}. */
    public static int compile(long program, List<String> options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointers = arena.allocate(ADDRESS, options.size());
            for (int i = 0; i < options.size(); i++) {
                pointers.setAtIndex(ADDRESS, i, arena.allocateFrom(options.get(i)));
            }
            return (int) COMPILE.invokeExact(program, options.size(), pointers);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code nvrtcGetProgramLog}: the compiler's log; may be empty. */
    public static String log(long program) {
        byte[] text = read(program, LOG_SIZE, LOG).orElse(new byte[0]);
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        return new String(text, 0, length, StandardCharsets.UTF_8).strip();
    }

    /** {@code nvrtcGetCUBIN}: the code for one architecture; empty if there is none. */
    public static Optional<byte[]> cubin(long program) {
        return read(program, CUBIN_SIZE, CUBIN).filter(code -> code.length > 0);
    }

    private static Optional<byte[]> read(long program, MethodHandle size, MethodHandle content) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(JAVA_LONG);
            if ((int) size.invokeExact(program, bytes) != 0) {
                return Optional.empty();
            }
            MemorySegment to = arena.allocate(bytes.get(JAVA_LONG, 0), 1);
            return (int) content.invokeExact(program, to) == 0 ? Optional.of(to.toArray(JAVA_BYTE)) : Optional.empty();
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code nvrtcDestroyProgram}. */
    public static void destroy(MemorySegment program) {
        try {
            int _ = (int) DESTROY.invokeExact(program);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Files by their descriptors. Functions that fail return the negative of {@code errno}; see {@link Errno}. Check
 * {@link PosixSupport} first.
 */
public final class NativeFile {
    /** Opens for reading and writing. */
    public static final int O_RDWR = 2;

    /** Creates the file. */
    public static final int O_CREAT = 0x40;

    /** Fails if the file exists. */
    public static final int O_EXCL = 0x80;

    /** Closes the descriptor in programs that this process starts. */
    public static final int O_CLOEXEC = 0x80000;

    /** Creates a file without a name; the path is the path of a directory. */
    public static final int O_TMPFILE = PosixSupport.isAarch64() ? 0x404000 : 0x410000;

    private static final MethodHandle OPEN = CLibrary.bindWithErrno(
            "open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
            CLibrary.bindWithErrno("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle UNLINK =
            CLibrary.bindWithErrno("unlink", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle POSIX_FALLOCATE =
            CLibrary.bind("posix_fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));

    private NativeFile() {}

    /** {@code int open(const char *path, int flags, mode_t mode)}. Returns a file descriptor. */
    public static int open(String path, int flags, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            int descriptor = (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags, mode);
            return descriptor < 0 ? -CLibrary.errno(state) : descriptor;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code int close(int fd)}, of any file descriptor. Do not call it again after an interruption: Linux has closed
     * the descriptor then.
     */
    public static int close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            int result = (int) CLOSE.invokeExact(state, descriptor);
            return result < 0 ? -CLibrary.errno(state) : result;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code int unlink(const char *path)}. */
    public static int unlink(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            int result = (int) UNLINK.invokeExact(state, arena.allocateFrom(path));
            return result < 0 ? -CLibrary.errno(state) : result;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code int posix_fallocate(int fd, off_t offset, off_t len)}. Reserves space. */
    public static int posixFallocate(int descriptor, long offset, long bytes) {
        try {
            return -(int) POSIX_FALLOCATE.invokeExact(descriptor, offset, bytes);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

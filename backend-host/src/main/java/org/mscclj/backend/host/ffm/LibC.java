package org.mscclj.backend.host.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * The functions of the C library that shared memory and sleeping on it take. Linux on x86-64 and AArch64 only: ask
 * {@link #unsupported} first. Functions that fail return the negative of {@code errno}; see {@link Errno}.
 */
public final class LibC {
    /** Open for reading and writing. */
    public static final int O_RDWR = 2;

    /** Create the file. */
    public static final int O_CREAT = 0x40;

    /** Fail if it exists. */
    public static final int O_EXCL = 0x80;

    /** Close in programs that this one starts. */
    public static final int O_CLOEXEC = 0x80000;

    /** Wake every waiter. */
    public static final int ALL_WAITERS = Integer.MAX_VALUE;

    private static final boolean AARCH64 = System.getProperty("os.arch").equals("aarch64");

    /** A file without a name; the path is that of a directory. */
    public static final int O_TMPFILE = AARCH64 ? 0x404000 : 0x410000;

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final long SYS_FUTEX = AARCH64 ? 98 : 202;
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;

    private LibC() {}

    /** Bound when the class is first used, which is not before {@link #unsupported} has said that it can be. */
    private static final class Functions {
        static final Linker LINKER = Linker.nativeLinker();
        static final StructLayout STATE = Linker.Option.captureStateLayout();
        static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        static final MethodHandle OPEN = bind(
                "open",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
                Linker.Option.firstVariadicArg(2),
                Linker.Option.captureCallState("errno"));
        static final MethodHandle CLOSE =
                bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), Linker.Option.captureCallState("errno"));
        static final MethodHandle UNLINK =
                bind("unlink", FunctionDescriptor.of(JAVA_INT, ADDRESS), Linker.Option.captureCallState("errno"));
        static final MethodHandle POSIX_FALLOCATE =
                bind("posix_fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle MMAP = bind(
                "mmap",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
                Linker.Option.captureCallState("errno"));
        static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle FUTEX = bind(
                "syscall",
                FunctionDescriptor.of(
                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT),
                Linker.Option.firstVariadicArg(1));

        private Functions() {}

        @SuppressWarnings("restricted") // what this class is for
        private static MethodHandle bind(String name, FunctionDescriptor descriptor, Linker.Option... options) {
            return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
        }
    }

    /** Why these functions cannot be used here; empty if they can. */
    public static Optional<String> unsupported() {
        String system = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        return system.equals("Linux") && (machine.equals("amd64") || machine.equals("aarch64"))
                ? Optional.empty()
                : Optional.of("shared memory between processes needs Linux on amd64 or aarch64, and this is " + system
                        + " on " + machine + "; use ranks in one process here");
    }

    /** {@code int open(const char *path, int flags, mode_t mode)}: a file descriptor. */
    public static int open(String path, int flags, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Functions.STATE);
            int descriptor = (int) Functions.OPEN.invokeExact(state, arena.allocateFrom(path), flags, mode);
            return descriptor < 0 ? -errno(state) : descriptor;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code int close(int fd)}. */
    public static int close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Functions.STATE);
            int result = (int) Functions.CLOSE.invokeExact(state, descriptor);
            return result < 0 ? -errno(state) : result;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code int unlink(const char *path)}. */
    public static int unlink(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Functions.STATE);
            int result = (int) Functions.UNLINK.invokeExact(state, arena.allocateFrom(path));
            return result < 0 ? -errno(state) : result;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code int posix_fallocate(int fd, off_t offset, off_t len)}: reserves space. */
    public static int posixFallocate(int descriptor, long offset, long bytes) {
        try {
            return -(int) Functions.POSIX_FALLOCATE.invokeExact(descriptor, offset, bytes);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /**
     * {@code void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)}: the address of all of a
     * file, shared.
     */
    public static long mmap(int descriptor, long bytes) {
        return mmap(bytes, MAP_SHARED, descriptor);
    }

    /** The address of zeroed memory of this process, in whole pages, which take space when they are first touched. */
    public static long mmapPrivate(long bytes) {
        return mmap(bytes, MAP_PRIVATE_ANONYMOUS, -1);
    }

    private static long mmap(long bytes, int flags, int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Functions.STATE);
            long address = (long) Functions.MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, flags, descriptor, 0L);
            return address == -1 ? -errno(state) : address;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code int munmap(void *addr, size_t length)}. Fails only for ranges that {@link #mmap} never gave. */
    private static void munmap(long address, long bytes) {
        try {
            int result = (int) Functions.MUNMAP.invokeExact(address, bytes);
            if (result != 0) {
                throw new IllegalStateException("munmap of a range that is not mapped: " + address + ", " + bytes);
            }
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /**
     * {@code futex(FUTEX_WAIT)}, between processes: blocks while the word has the value, until it is woken or the time
     * has passed. Returns for any reason. Allocates nothing.
     *
     * @param timespec address of a {@link Timespec}
     */
    public static void futexWait(long word, int value, long timespec) {
        try {
            long _ = (long) Functions.FUTEX.invokeExact(SYS_FUTEX, word, FUTEX_WAIT, value, timespec, 0L, 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** {@code futex(FUTEX_WAKE)}, between processes: wakes threads that wait on the word. Allocates nothing. */
    public static void futexWake(long word, int most) {
        try {
            long _ = (long) Functions.FUTEX.invokeExact(SYS_FUTEX, word, FUTEX_WAKE, most, 0L, 0L, 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static int errno(MemorySegment state) {
        return (int) Functions.ERRNO.get(state, 0L);
    }

    /** Method handles declare everything; only what is unchecked can come out of these. */
    private static RuntimeException rethrown(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }

    /**
     * A view of what {@link #mmap} has mapped; closing the arena unmaps it, and makes accesses through the view throw.
     */
    @SuppressWarnings("restricted") // what this class is for
    public static MemorySegment segment(long address, long bytes, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, _ -> munmap(address, bytes));
    }
}

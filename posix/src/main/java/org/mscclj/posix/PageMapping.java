package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Maps memory in whole pages: of a file, or of this process alone. Functions that fail return the negative of
 * {@code errno}; see {@link Errno}. Check {@link PosixSupport} first.
 */
public final class PageMapping {
    static final int PROT_READ_WRITE = 3;
    static final int MAP_SHARED = 1;
    static final int MAP_PRIVATE_ANONYMOUS = 0x22;

    private static final MethodHandle MMAP = CLibrary.bindWithErrno(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP =
            CLibrary.bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    private PageMapping() {}

    /**
     * {@code void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)}. Maps a whole file,
     * shared, and returns the address.
     */
    public static long shared(int descriptor, long bytes) {
        return mmap(bytes, MAP_SHARED, descriptor);
    }

    /** Returns the address of zeroed memory of this process. The system provides its pages at the first access. */
    public static long ofProcess(long bytes) {
        return mmap(bytes, MAP_PRIVATE_ANONYMOUS, -1);
    }

    private static long mmap(long bytes, int flags, int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            long address = (long) MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, flags, descriptor, 0L);
            return address == -1 ? -CLibrary.errno(state) : address;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code int munmap(void *addr, size_t length)}. No thread may use the memory any more.
     *
     * @throws IllegalStateException if this class has not mapped the range
     */
    public static void munmap(long address, long bytes) {
        try {
            int result = (int) MUNMAP.invokeExact(address, bytes);
            if (result != 0) {
                throw new IllegalStateException("munmap of a range that is not mapped: " + address + ", " + bytes);
            }
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * Returns a view of memory that this class has mapped. Closing the arena unmaps the memory, and makes accesses
     * through the view throw.
     */
    public static MemorySegment segment(long address, long bytes, Arena arena) {
        return NativeMemory.range(address, bytes, arena, () -> munmap(address, bytes));
    }
}

package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Waits for file descriptors of drivers until one is readable, or until another thread ends the wait. Functions that
 * fail return the negative of {@code errno}; see {@link Errno}. Check {@link PosixSupport} first: eventfd is Linux's.
 */
public final class EventDescriptors {
    private static final int NONBLOCK_CLOEXEC = 0x80800;
    private static final short READABLE = 1;
    private static final int POLL_BYTES = 8;
    private static final int POLL_EVENTS = 4;
    private static final int POLL_RETURNED = 6;
    private static final int SET_FLAGS = 4;
    private static final int GET_FLAGS = 3;
    private static final int NONBLOCK = 0x800;

    private static final MethodHandle EVENTFD =
            CLibrary.bindWithErrno("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle POLL =
            CLibrary.bindWithErrno("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle WRITE =
            CLibrary.bindWithErrno("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle FCNTL = CLibrary.bindWithErrno(
            "fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));

    private EventDescriptors() {}

    /**
     * {@code int eventfd(unsigned int initval, int flags)}. Returns a descriptor that {@link #raise} makes readable.
     */
    public static int create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            int descriptor = (int) EVENTFD.invokeExact(state, 0, NONBLOCK_CLOEXEC);
            return descriptor < 0 ? -CLibrary.errno(state) : descriptor;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Makes a descriptor of {@link #create} readable for ever. */
    public static int raise(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
            long written = (long) WRITE.invokeExact(state, descriptor, one, one.byteSize());
            return written < 0 ? -CLibrary.errno(state) : 0;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Lets reads of a descriptor fail with {@link Errno#EAGAIN} where they would wait. */
    public static int dontBlock(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            int flags = (int) FCNTL.invokeExact(state, descriptor, GET_FLAGS, 0);
            if (flags < 0) {
                return -CLibrary.errno(state);
            }
            int result = (int) FCNTL.invokeExact(state, descriptor, SET_FLAGS, flags | NONBLOCK);
            return result < 0 ? -CLibrary.errno(state) : 0;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code int poll(struct pollfd *fds, nfds_t nfds, int timeout)}. Waits until a descriptor is readable or has
     * failed.
     *
     * @param milliseconds the longest wait; a negative number for none
     * @return a bit for each descriptor, the lowest for the first; 0 after the longest wait
     */
    public static int await(int milliseconds, int... descriptors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            MemorySegment polled = arena.allocate((long) POLL_BYTES * descriptors.length, Integer.BYTES);
            for (int i = 0; i < descriptors.length; i++) {
                polled.set(JAVA_INT, (long) i * POLL_BYTES, descriptors[i]);
                polled.set(JAVA_SHORT, (long) i * POLL_BYTES + POLL_EVENTS, READABLE);
            }
            int count = (int) POLL.invokeExact(state, polled, (long) descriptors.length, milliseconds);
            if (count < 0) {
                return -CLibrary.errno(state);
            }
            int readable = 0;
            for (int i = 0; i < descriptors.length; i++) {
                if (polled.get(JAVA_SHORT, (long) i * POLL_BYTES + POLL_RETURNED) != 0) {
                    readable |= 1 << i;
                }
            }
            return readable;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

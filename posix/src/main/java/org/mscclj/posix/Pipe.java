package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A pipe. Programs that this process starts do not get its ends. Check {@link PosixSupport} first.
 *
 * @param reading the descriptor of the end for reading
 * @param writing the descriptor of the end for writing
 */
public record Pipe(int reading, int writing) {
    private static final MethodHandle PIPE2 =
            CLibrary.bindWithErrno("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

    private static final int O_WRONLY = 1;
    private static final int O_NONBLOCK = 0x800;

    /**
     * {@code int pipe2(int pipefd[2], int flags)}.
     *
     * @throws PosixException if there is none, for lack of descriptors
     */
    public static Pipe create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            MemorySegment ends = arena.allocate(JAVA_INT, 2);
            if ((int) PIPE2.invokeExact(state, ends, NativeFile.O_CLOEXEC) != 0) {
                throw new PosixException("making a pipe", CLibrary.errno(state));
            }
            return new Pipe(ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * The pipe of another process, of which this one has received an end for writing. Closes that end if it fails.
     *
     * @throws PosixException if it cannot be opened for reading
     */
    public static Pipe ofWriter(int writing) {
        try {
            return new Pipe(again(writing, O_NONBLOCK), writing);
        } catch (PosixException e) {
            int _ = NativeFile.close(writing);
            throw e;
        }
    }

    /**
     * Opens the end for writing once more, for another process.
     *
     * @throws PosixException if it cannot be opened
     */
    public int anotherWriter() {
        return again(writing, O_WRONLY);
    }

    private static int again(int descriptor, int flags) {
        int opened = NativeFile.open("/proc/self/fd/" + descriptor, flags | NativeFile.O_CLOEXEC, 0);
        if (opened < 0) {
            throw new PosixException("opening an end of a pipe", -opened);
        }
        return opened;
    }

    /** Whether all ends for writing are closed, in all processes. */
    public boolean hasEnded() {
        // No process writes into it, so only its end makes it readable. A negative result is an error, and no end.
        return EventDescriptors.await(0, reading) > 0;
    }
}

package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Error numbers of the C library, which are equal on all Linux machines. */
public final class Errno {
    /** No such file. */
    public static final int ENOENT = 2;

    /** Interrupted by a signal. */
    public static final int EINTR = 4;

    /** Try again; also the error of a send or receive that exceeds its timeout. */
    public static final int EAGAIN = 11;

    /** Permission denied. */
    public static final int EACCES = 13;

    /** Is a directory; also the error of opening a file without a name where that is not supported. */
    public static final int EISDIR = 21;

    /** No space left. */
    public static final int ENOSPC = 28;

    /** Not supported. */
    public static final int EOPNOTSUPP = 95;

    private static final long MAX_TEXT = 256;

    private Errno() {}

    private static final class Functions {
        static final MethodHandle TEXT = CLibrary.bind("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

        private Functions() {}
    }

    /** Returns the symbolic name, for messages that also contain the number. */
    public static String name(int errno) {
        return switch (errno) {
            case 1 -> "EPERM";
            case ENOENT -> "ENOENT";
            case EINTR -> "EINTR";
            case 5 -> "EIO";
            case 9 -> "EBADF";
            case EAGAIN -> "EAGAIN";
            case 12 -> "ENOMEM";
            case EACCES -> "EACCES";
            case 22 -> "EINVAL";
            case 23 -> "ENFILE";
            case 24 -> "EMFILE";
            case 27 -> "EFBIG";
            case EISDIR -> "EISDIR";
            case ENOSPC -> "ENOSPC";
            case 30 -> "EROFS";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case 122 -> "EDQUOT";
            default -> "errno";
        };
    }

    /** Returns an error's symbolic name, its number and the C library's description, for messages. */
    public static String describe(int errno) {
        return name(errno) + " (" + errno + "): " + text(errno);
    }

    /** Returns the C library's description of an error. */
    @SuppressWarnings("restricted") // returns a pointer to a constant
    static String text(int errno) {
        try {
            return ((MemorySegment) Functions.TEXT.invokeExact(errno))
                    .reinterpret(MAX_TEXT)
                    .getString(0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

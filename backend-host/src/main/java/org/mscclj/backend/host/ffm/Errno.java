package org.mscclj.backend.host.ffm;

/** Names of the error numbers that the functions of {@link LibC} give, the same on all Linux machines. */
public final class Errno {
    /** No such file. */
    public static final int ENOENT = 2;

    /** Interrupted by a signal. */
    public static final int EINTR = 4;

    /** Not allowed. */
    public static final int EACCES = 13;

    /** Is a directory; what opening one without a name gives where that is not supported. */
    public static final int EISDIR = 21;

    /** No space left. */
    public static final int ENOSPC = 28;

    /** Not supported. */
    public static final int EOPNOTSUPP = 95;

    private Errno() {}

    /** The symbolic name, for messages that also give the number. */
    public static String name(int errno) {
        return switch (errno) {
            case 1 -> "EPERM";
            case ENOENT -> "ENOENT";
            case EINTR -> "EINTR";
            case 5 -> "EIO";
            case 9 -> "EBADF";
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
}

package org.mscclj.posix;

/** A function of the C library has failed. */
public final class PosixException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /** The failure of a function, in the words of the C library. */
    PosixException(String function, int errno) {
        super(function + " failed: " + Errno.text(errno));
        this.errno = errno;
    }

    /** A function that has done less than it was asked for. */
    PosixException(String message) {
        super(message);
        this.errno = 0;
    }

    /** The number of the error; 0 if the function has done less than it was asked for. */
    public int errno() {
        return errno;
    }

    /** Passes what is not negative; the negative of {@code errno} becomes an exception. */
    static int check(long result, String function) {
        if (result >= 0) {
            return (int) result;
        }
        throw new PosixException(function, (int) -result);
    }
}

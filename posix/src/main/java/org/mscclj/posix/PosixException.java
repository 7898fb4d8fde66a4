package org.mscclj.posix;

/** Reports that a function of the C library has failed. */
public final class PosixException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /** Creates the exception of a failed function, with the C library's description of the error. */
    PosixException(String function, int errno) {
        super(function + " failed: " + Errno.text(errno));
        this.errno = errno;
    }

    /** Creates the exception of a function that has done less than requested. */
    PosixException(String message) {
        super(message);
        this.errno = 0;
    }

    /** Returns the error number; 0 if the function has done less than requested. */
    public int errno() {
        return errno;
    }

    /** Returns a result that is not negative; throws an exception for the negative of {@code errno}. */
    static int check(long result, String function) {
        if (result >= 0) {
            return (int) result;
        }
        throw new PosixException(function, (int) -result);
    }
}

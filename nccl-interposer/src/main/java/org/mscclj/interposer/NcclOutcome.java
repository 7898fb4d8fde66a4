package org.mscclj.interposer;

import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.error.UnsupportedException;

/** Codes of NCCL ({@code ncclResult_t}) for exceptions. */
final class NcclOutcome {
    private static final int CUDA_ERROR = 1;
    private static final int INTERNAL_ERROR = 3;
    private static final int INVALID_ARGUMENT = 4;
    private static final int INVALID_USAGE = 5;
    private static final int REMOTE_ERROR = 6;

    private NcclOutcome() {}

    /** Returns the code, one digit, and behind it the text of an exception. */
    static String describe(Throwable thrown) {
        String message = thrown.getMessage();
        boolean known = code(thrown) != INTERNAL_ERROR && message != null;
        return code(thrown) + (known ? message : thrown.toString());
    }

    private static int code(Throwable thrown) {
        return switch (thrown) {
            case InvalidArgumentException _ -> INVALID_ARGUMENT;
            case UnsupportedException _ -> INVALID_USAGE;
            case RankLostException _, OperationTimeoutException _, AbortedException _ -> REMOTE_ERROR;
            case BackendException _ -> CUDA_ERROR;
            default -> INTERNAL_ERROR;
        };
    }
}

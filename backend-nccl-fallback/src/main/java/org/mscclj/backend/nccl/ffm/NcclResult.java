package org.mscclj.backend.nccl.ffm;

/** NCCL's result codes, which are the same in all versions. */
public final class NcclResult {
    /** {@code ncclSuccess}. */
    public static final int SUCCESS = 0;

    /** {@code ncclInProgress}: the call of a communicator that does not block has not ended. */
    public static final int IN_PROGRESS = 7;

    private NcclResult() {}

    static String name(int code) {
        return switch (code) {
            case SUCCESS -> "ncclSuccess";
            case 1 -> "ncclUnhandledCudaError";
            case 2 -> "ncclSystemError";
            case 3 -> "ncclInternalError";
            case 4 -> "ncclInvalidArgument";
            case 5 -> "ncclInvalidUsage";
            case 6 -> "ncclRemoteError";
            case IN_PROGRESS -> "ncclInProgress";
            case 8 -> "ncclTimeout";
            default -> "ncclResult_t";
        };
    }
}

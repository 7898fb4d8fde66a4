package org.mscclj.backend.nccl.ffm;

/** Names of NCCL's result codes, which are the same in all versions. */
final class NcclResult {
    static final int SUCCESS = 0;

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
            case 7 -> "ncclInProgress";
            case 8 -> "ncclTimeout";
            default -> "ncclResult_t";
        };
    }
}

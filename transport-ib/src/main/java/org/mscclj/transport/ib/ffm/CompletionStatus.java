package org.mscclj.transport.ib.ffm;

/** The status of a completion ({@code enum ibv_wc_status}). */
public final class CompletionStatus {
    /** The operation is done. */
    public static final int SUCCESS = 0;

    /** The operation was not carried out, since an earlier one has failed. */
    public static final int FLUSHED = 5;

    private static final int LOCAL_LENGTH = 1;
    private static final int LOCAL_OPERATION = 2;
    private static final int LOCAL_PROTECTION = 4;
    private static final int LOCAL_ACCESS = 8;
    private static final int REMOTE_REQUEST = 9;
    private static final int REMOTE_ACCESS = 10;
    private static final int REMOTE_OPERATION = 11;
    private static final int RETRIES = 12;
    private static final int RECEIVE_RETRIES = 13;

    private CompletionStatus() {}

    /** Whether the error is one of this side, so that the peer is not to blame. */
    public static boolean isLocal(int status) {
        return (status >= LOCAL_LENGTH && status <= LOCAL_PROTECTION) || status == LOCAL_ACCESS;
    }

    /** Returns the number, the name, and what usually causes it. */
    public static String describe(int status) {
        return "status " + status + ", " + text(status);
    }

    /** Returns the name in libibverbs; empty for success. */
    public static String symbol(int status) {
        return switch (status) {
            case SUCCESS -> "";
            case LOCAL_LENGTH -> "IBV_WC_LOC_LEN_ERR";
            case LOCAL_OPERATION -> "IBV_WC_LOC_QP_OP_ERR";
            case LOCAL_PROTECTION -> "IBV_WC_LOC_PROT_ERR";
            case FLUSHED -> "IBV_WC_WR_FLUSH_ERR";
            case LOCAL_ACCESS -> "IBV_WC_LOC_ACCESS_ERR";
            case REMOTE_REQUEST -> "IBV_WC_REM_INV_REQ_ERR";
            case REMOTE_ACCESS -> "IBV_WC_REM_ACCESS_ERR";
            case REMOTE_OPERATION -> "IBV_WC_REM_OP_ERR";
            case RETRIES -> "IBV_WC_RETRY_EXC_ERR";
            case RECEIVE_RETRIES -> "IBV_WC_RNR_RETRY_EXC_ERR";
            default -> "IBV_WC_GENERAL_ERR";
        };
    }

    private static String text(int status) {
        return switch (status) {
            case LOCAL_LENGTH -> "local length error";
            case LOCAL_OPERATION -> "local queue pair operation error";
            case LOCAL_PROTECTION -> "local protection error: the source was not registered, or was freed";
            case FLUSHED -> "flushed: an earlier operation has failed, or the queue pair is in its error state";
            case LOCAL_ACCESS -> "local access error";
            case REMOTE_REQUEST -> "the peer's adapter takes the request for invalid";
            case REMOTE_ACCESS -> "remote access error: the peer has freed the memory, or the range lies outside it";
            case REMOTE_OPERATION -> "the peer's adapter could not carry out the request";
            case RETRIES -> "no answer after all retries: the peer has ended, its host is down, or the network is cut";
            case RECEIVE_RETRIES -> "the peer does not take signals: its process is stopped or busy";
            default -> "an error of the adapter";
        };
    }
}

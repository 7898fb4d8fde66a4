package org.mscclj.api.error;

/** A rank of the communicator ended or can no longer be reached. */
public final class RankLostException extends MsccljException {
    private static final long serialVersionUID = 1L;

    private final int rank;

    /** An exception for a lost rank; the message states how the loss was detected. */
    public RankLostException(int rank, String message) {
        super(message);
        this.rank = rank;
    }

    /** The rank that is lost. */
    public int rank() {
        return rank;
    }
}

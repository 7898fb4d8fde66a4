package org.mscclj.backend.host.step;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The state of a launch that the steps of a block use. The launch writes it before it starts the block. */
public final class StepContext {
    /** Bytes that a block may handle before other blocks get their turn. */
    private static final long BUDGET = 256 * 1024;

    private @Nullable LaunchRound round;
    private int flag;
    private boolean evenHalf;
    private long roundShift;
    private long budget;
    private long done;

    /** A context for one block. */
    public StepContext() {}

    /**
     * Sets the state that all steps of a round share.
     *
     * @param newFlag the packet flag
     * @param newRoundShift start of the round in each slice, in bytes
     * @param newRound layout and buffers; null if no step has operands
     */
    public void start(int newFlag, long newRoundShift, @Nullable LaunchRound newRound) {
        round = newRound;
        flag = newFlag;
        evenHalf = (newFlag & 1) == 0;
        roundShift = newRoundShift;
    }

    /** Starts a turn of the block. */
    public void startTurn() {
        budget = BUDGET;
        done = 0;
    }

    /** Counts bytes that were handled. */
    public void handled(long bytes) {
        budget -= bytes;
        done += bytes;
    }

    /** Bytes handled in this turn. */
    public long done() {
        return done;
    }

    /** Whether the block has used up its budget. */
    public boolean exhausted() {
        return budget <= 0;
    }

    /** Layout and buffers of the round. */
    LaunchRound round() {
        return Objects.requireNonNull(round, "a step has operands");
    }

    /** The packet flag. */
    public int flag() {
        return flag;
    }

    /** Whether the second half of double scratch is used. */
    boolean evenHalf() {
        return evenHalf;
    }

    /** Start of the round in each slice, in bytes. */
    long roundShift() {
        return roundShift;
    }
}

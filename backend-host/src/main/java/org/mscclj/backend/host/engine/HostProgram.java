package org.mscclj.backend.host.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.host.step.LaunchRound;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.transfer.PendingTransfer;

/** The program of a launch: rounds of blocks, and the actions before and after them. */
interface HostProgram {
    /** Number of rounds; 0 if there is nothing to do. */
    long rounds();

    /** The distance between consecutive rounds, in bytes. */
    long roundBytes();

    /** The blocks, which are equal in all rounds. One launch at a time runs them. */
    BlockRun[] blocks();

    /**
     * Layout and buffers of a round, for steps with operands; null if there are none.
     *
     * @param isLast whether it is the last round: all other rounds have equal layouts
     */
    @Nullable
    LaunchRound round(boolean isLast);

    /** The port channels that a round flushes at its end. */
    List<PortBinding> flushed();

    /** Runs before the first round. */
    void begin();

    /** Runs after the last round. */
    void complete();

    /** Whether only some ranks launch it; the other ranks do not count its launches then. */
    boolean isOfSomeRanks();

    /** The transfers of the last launch that have not ended yet. */
    List<PendingTransfer> pending();

    /** All transfers of a launch that has not begun. */
    List<PendingTransfer> notBegun();
}

package org.mscclj.backend.host.engine;

import java.lang.foreign.Arena;
import java.util.List;
import org.mscclj.backend.host.step.Step;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.transfer.PendingTransfer;

/** What a launch does: rounds of blocks, and what completes it. */
interface HostProgram {
    /** Number of rounds; 0 if there is nothing to do. */
    long rounds();

    /** How far a round is from the one before, in bytes. */
    long roundBytes();

    /**
     * The steps of each block of a round. All rounds but the last have the same.
     *
     * @param arena for the memory that they need
     */
    List<Step[]> blocks(long round, Arena arena);

    /** The port channels that a round ends with flushing. */
    List<PortBinding> flushed();

    /** What comes before the first round. */
    void begin();

    /** What comes after the last round. */
    void complete();

    /** Whether some ranks launch it without the others, which do not count its launches then. */
    boolean isOfSomeRanks();

    /** Messages that have not moved yet, of the launch that began last. */
    List<PendingTransfer> pending();

    /** All messages, of a launch that has not begun. */
    List<PendingTransfer> notBegun();
}

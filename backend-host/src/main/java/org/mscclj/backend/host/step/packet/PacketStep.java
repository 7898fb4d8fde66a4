package org.mscclj.backend.host.step.packet;

import org.mscclj.backend.host.kernel.packet.PacketKernel;
import org.mscclj.backend.host.step.RangeStep;
import org.mscclj.backend.host.step.StepOperand;

/** The base of steps over packets. Positions are payload bytes; a packet carries a word of 4 bytes. */
public abstract class PacketStep extends RangeStep {
    /** Payload handled at once, in bytes: with its packets it stays in the first-level cache. */
    protected static final int BATCH = 4096;

    protected static final PacketKernel PACKETS = PacketKernel.preferred();

    /**
     * The number of polls of the last packet of a batch alone, before a step takes the packets that have arrived.
     * Reading packets while they are written moves each line between two cores several times. But in some plans the
     * rest of a batch arrives only after its first part was processed.
     */
    private static final int MAX_POLLS = 32;

    private int polls;

    protected PacketStep(StepOperand first) {
        super(first);
    }

    /** Packets are whole in every iteration of a pipeline, since their flags are the launch's. */
    @Override
    protected final boolean wholeInPipelines() {
        return true;
    }

    /** The payload to handle next, in bytes: the part that is contiguous in every packet operand. */
    protected static long together(StepOperand[] operands, long position, long bytes) {
        for (StepOperand operand : operands) {
            bytes = Math.min(bytes, operand.run(position));
        }
        return bytes;
    }

    /** Whether the last packet of a batch has arrived, which implies that the others most likely have. */
    protected static boolean lastArrived(long packets, long bytes, int flag) {
        return bytes == 0 || PacketKernel.isValid(packets + (bytes / 4 - 1) * PacketKernel.PACKET_BYTES, flag);
    }

    /**
     * Called when the last packet has not arrived: whether to wait longer before taking the packets that have arrived.
     */
    protected final boolean waitOn() {
        if (polls == MAX_POLLS) {
            return false;
        }
        polls++;
        return true;
    }

    /** Called when a complete batch has arrived. */
    protected final void batchArrived() {
        polls = 0;
    }
}

package org.mscclj.backend.host.step;

import org.mscclj.backend.host.kernel.PacketKernel;

/** What steps over packets share. Positions count payload bytes; a packet carries a word of 4. */
abstract class PacketStep extends RangeStep {
    /** Payload handled at once, in bytes: with its packets it stays in the first-level cache. */
    static final int BATCH = 4096;

    static final PacketKernel PACKETS = PacketKernel.preferred();

    /**
     * How often a step looks at the last packet of a batch only, before it takes what has come of it. Reading packets
     * while they are being written moves each line between two cores several times. Yet a plan may need what a part of
     * a batch leads to, before the rest can come.
     */
    private static final int PATIENCE = 32;

    private int polls;

    PacketStep(long length) {
        super(length);
    }

    /** Packets are whole in every iteration of a pipeline, since their flags are the launch's. */
    @Override
    final boolean wholeInPipelines() {
        return true;
    }

    /** Payload to handle next: what lies together in every packet operand. */
    static long together(Operand[] operands, long position, long bytes) {
        for (Operand operand : operands) {
            bytes = Math.min(bytes, operand.run(position));
        }
        return bytes;
    }

    /** Whether the last packet of a batch has come, so that the others will have. */
    static boolean lastArrived(long packets, long bytes, int flag) {
        return bytes == 0 || PacketKernel.isValid(packets + (bytes / 4 - 1) * PacketKernel.PACKET_BYTES, flag);
    }

    /**
     * To be called when the last packet has not come: whether to wait on, and not yet take what has come of the batch.
     */
    final boolean waitOn() {
        if (polls == PATIENCE) {
            return false;
        }
        polls++;
        return true;
    }

    /** To be called when a batch has come whole. */
    final void batchArrived() {
        polls = 0;
    }
}

package org.mscclj.backend.host.step;

import org.mscclj.backend.host.kernel.PacketKernel;

/** What steps over packets share. Positions count payload bytes; a packet carries a word of 4. */
abstract class PacketStep extends RangeStep {
    /** Payload handled at once, in bytes: with its packets it stays in the first-level cache. */
    static final int BATCH = 4096;

    static final PacketKernel PACKETS = PacketKernel.preferred();

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
}

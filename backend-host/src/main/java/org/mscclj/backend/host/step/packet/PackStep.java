package org.mscclj.backend.host.step.packet;

import org.mscclj.backend.host.step.StepContext;
import org.mscclj.backend.host.step.StepOperand;

/** Writes plain data as packets to one or more destinations. */
public final class PackStep extends PacketStep {
    private final StepOperand source;
    private final StepOperand[] destinations;
    private final long staging;

    /**
     * A step between operands of equal length.
     *
     * @param source plain
     * @param destinations packet areas
     * @param staging address of {@link #stagingBytes()} bytes that belong to the block
     */
    public PackStep(StepOperand source, StepOperand[] destinations, long staging) {
        super(source);
        this.source = source;
        this.destinations = destinations;
        this.staging = staging;
    }

    /** Memory needed to collect payload that is not contiguous, in bytes. */
    public static long stagingBytes() {
        return BATCH;
    }

    @Override
    protected void begin(StepContext context) {
        source.begin(context);
        for (StepOperand destination : destinations) {
            destination.begin(context);
        }
    }

    @Override
    protected long handle(StepContext context, long position, long end) {
        long bytes = together(destinations, position, Math.min(BATCH, end - position));
        boolean direct = source.run(position) >= bytes && source.address(position) != StepOperand.PADDING;
        if (!direct) {
            source.copyOut(position, staging, bytes);
        }
        long from = direct ? source.address(position) : staging;
        for (StepOperand destination : destinations) {
            destination.run(position);
            PACKETS.pack(from, destination.address(position), bytes / 4, context.flag());
        }
        return bytes;
    }
}

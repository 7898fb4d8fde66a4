package org.mscclj.backend.host.step.packet;

import org.mscclj.backend.host.step.StepContext;
import org.mscclj.backend.host.step.StepOperand;

/** Waits for packets and stores their payload as plain data. */
public final class UnpackStep extends PacketStep {
    private final StepOperand source;
    private final StepOperand destination;
    private final long staging;

    /**
     * A step between two operands of equal length.
     *
     * @param source a packet area
     * @param destination plain
     * @param staging address of {@link PackStep#stagingBytes()} bytes that belong to the block
     */
    public UnpackStep(StepOperand source, StepOperand destination, long staging) {
        super(source);
        this.source = source;
        this.destination = destination;
        this.staging = staging;
    }

    @Override
    protected void begin(StepContext context) {
        source.begin(context);
        destination.begin(context);
    }

    @Override
    protected long handle(StepContext context, long position, long end) {
        long bytes = Math.min(Math.min(BATCH, end - position), source.run(position));
        if (lastArrived(source.address(position), bytes, context.flag())) {
            batchArrived();
        } else if (waitOn()) {
            return 0;
        }
        boolean direct = destination.run(position) >= bytes && destination.address(position) != StepOperand.PADDING;
        long to = direct ? destination.address(position) : staging;
        long arrived = 4 * PACKETS.unpack(source.address(position), to, bytes / 4, context.flag());
        if (!direct) {
            destination.copyIn(staging, position, arrived);
        }
        return arrived;
    }
}

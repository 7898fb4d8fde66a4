package org.mscclj.backend.host.step.packet;

import org.mscclj.backend.host.step.StepContext;
import org.mscclj.backend.host.step.StepOperand;

/** Waits for packets and forwards them as packets to one or more destinations. */
public final class ForwardStep extends PacketStep {
    private final StepOperand source;
    private final StepOperand[] destinations;

    /** A forward between operands that are packet areas of equal length. */
    public ForwardStep(StepOperand source, StepOperand[] destinations) {
        super(source);
        this.source = source;
        this.destinations = destinations;
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
        long bytes = together(destinations, position, Math.min(Math.min(BATCH, end - position), source.run(position)));
        long from = source.address(position);
        if (lastArrived(from, bytes, context.flag())) {
            batchArrived();
        } else if (waitOn()) {
            return 0;
        }
        long words = PACKETS.validPrefix(from, bytes / 4, context.flag());
        if (words > 0) {
            for (StepOperand destination : destinations) {
                destination.run(position);
                long to = destination.address(position);
                if (to != from) {
                    PACKETS.forward(from, to, words, context.flag());
                }
            }
        }
        return 4 * words;
    }
}

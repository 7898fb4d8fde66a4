package org.mscclj.backend.host.step.packet;

import org.mscclj.backend.host.step.StepContext;
import org.mscclj.backend.host.step.StepOperand;

/** Waits until all packets of a range have arrived. */
public final class AwaitPacketsStep extends PacketStep {
    private final StepOperand source;

    /** A wait for the packets of an operand, which is a packet area. */
    public AwaitPacketsStep(StepOperand source) {
        super(source);
        this.source = source;
    }

    @Override
    protected void begin(StepContext context) {
        source.begin(context);
    }

    @Override
    protected long handle(StepContext context, long position, long end) {
        long bytes = Math.min(source.run(position), end - position);
        return 4 * PACKETS.validPrefix(source.address(position), bytes / 4, context.flag());
    }
}

package org.mscclj.analysis.simulate;

import org.mscclj.analysis.simulate.flow.Clock;
import org.mscclj.analysis.simulate.topology.OrderCosts;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;

/** A signal of a block: a store by the block for memory channels, a request to the proxy for port channels. */
final class SignalSend {
    private final SimulatedMachine machine;
    private final SimulatedBlock block;
    private final Operation.Signal signal;

    SignalSend(SimulatedMachine machine, SimulatedBlock block, Operation.Signal signal) {
        this.machine = machine;
        this.block = block;
        this.signal = signal;
    }

    /** Sends the signal; returns the time at which the block has issued it and the signal leaves. */
    double send(double time) {
        double end = Clock.onGrid(time + cost());
        for (int id : signal.channelIds()) {
            int channel = block.view().channel(signal.channelType(), id);
            if (signal.channelType() == ChannelType.PORT) {
                int by = block.span();
                ProxyTask task = ProxyTask.signal(channel, block.openForProxy(end, by));
                // Not earlier: a flush of another block may come first.
                machine.clock().at(end, () -> block.rank().proxy().handOver(task, by));
            } else {
                machine.signal(block.rank(), signal.channelType(), channel, end, block.span());
            }
        }
        return end;
    }

    private double cost() {
        OrderCosts costs = machine.costs().order();
        if (signal.channelType() == ChannelType.PORT) {
            return machine.costs().operation();
        }
        boolean raised =
                machine.raisesSignals() && machine.isRaised(block.cursor().address());
        return signal.relaxed() && !raised ? costs.relaxedSignal() : costs.signal();
    }
}

package org.mscclj.analysis.simulate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.plan.RankPlan;

/**
 * The proxy of a rank: one thread that processes the requests of blocks in their order. It copies data itself between
 * memories that it maps, and processes no other request meanwhile; otherwise it posts the request to the port channel,
 * which moves the data.
 */
final class Proxy {
    private final SimulatedMachine machine;
    private final boolean copies;
    private final List<PortQueue> channels = new ArrayList<>();
    private final Deque<ProxyTask> triggers = new ArrayDeque<>();
    private boolean busy;
    private int last = SpanLog.NONE;

    Proxy(SimulatedMachine machine, RankPlan plan) {
        this.machine = machine;
        this.copies = machine.network().cores(plan.rank()).isPresent();
        for (int channel = 0; channel < plan.portChannelPeers().size(); channel++) {
            double latency = machine.network()
                    .portRoute(plan.rank(), plan.portChannelPeers().get(channel))
                    .latency();
            channels.add(new PortQueue(machine, plan.rank(), channel, latency, copies ? this::next : () -> {}));
        }
    }

    /**
     * A block hands a task to the proxy at the current time.
     *
     * @param by span of the block
     */
    void handOver(ProxyTask task, int by) {
        channels.get(task.channel()).handedOver();
        machine.log().depends(by, task.span(), Dependency.Kind.PROXY);
        machine.clock().at(machine.clock().now() + machine.costs().trigger(), () -> take(task));
    }

    private void take(ProxyTask task) {
        if (busy) {
            triggers.add(task);
        } else {
            begin(task);
        }
    }

    private void begin(ProxyTask task) {
        busy = true;
        last = task.span();
        double now = machine.clock().now();
        machine.log().begin(task.span(), now);
        machine.clock().at(now + machine.costs().post(), () -> post(task));
    }

    private void post(ProxyTask task) {
        channels.get(task.channel()).post(task);
        if (!copies) {
            next();
        }
    }

    private void next() {
        busy = false;
        ProxyTask task = triggers.poll();
        if (task != null) {
            machine.log().follows(task.span(), last);
            begin(task);
        }
    }

    /** The queue of a port channel of the rank. */
    PortQueue channel(int id) {
        return channels.get(id);
    }
}

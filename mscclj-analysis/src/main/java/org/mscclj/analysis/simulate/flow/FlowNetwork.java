package org.mscclj.analysis.simulate.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.mscclj.analysis.simulate.topology.Link;

/**
 * Shares links among flows by max-min fairness: no flow can get more without reducing a flow that has no more
 * (progressive filling; Bertsekas and Gallager, Data Networks, 6.5.2). A flow that uses several bytes of a link for
 * each byte of progress has a proportional weight there.
 *
 * <p>A change affects only the rates of flows that are connected to it by links whose flows could use more than the
 * capacity.
 */
public final class FlowNetwork {
    private static final double TOLERANCE = 1e-9;

    private final Clock clock;
    private final List<SharedLink> links = new ArrayList<>();
    private final List<Link> names;
    private final List<Flow> started = new ArrayList<>();
    private final List<SharedLink> changed = new ArrayList<>();

    // State of the computation of rates.
    private final List<Flow> flows = new ArrayList<>();
    private final List<SharedLink> tight = new ArrayList<>();

    /**
     * Creates a network without flows.
     *
     * @param links its links; the list may grow
     */
    public FlowNetwork(Clock clock, List<Link> links) {
        this.clock = clock;
        this.names = links;
    }

    /**
     * Starts a flow.
     *
     * @param bytes bytes of progress
     * @param cap greatest rate in bytes per nanosecond; may be infinite if a link is used
     * @param usage links used; must not change afterwards
     * @param done runs when all bytes have moved
     */
    public void start(double bytes, double cap, LinkUsage usage, Runnable done) {
        if (bytes == 0 || (usage.size() == 0 && Double.isInfinite(cap))) {
            clock.at(clock.now(), done);
            return;
        }
        Flow flow = new Flow(bytes, Math.min(cap, alone(usage)), usage, clock.now(), done);
        started.add(flow);
        for (int i = 0; i < usage.size(); i++) {
            SharedLink link = link(usage.link(i));
            link.add(flow, i, bytes, clock.now());
            touch(link);
        }
    }

    /**
     * The rate of a flow that has all links to itself. Limiting each flow by it ensures that no single flow exceeds a
     * link.
     */
    private double alone(LinkUsage usage) {
        double rate = Double.POSITIVE_INFINITY;
        for (int i = 0; i < usage.size(); i++) {
            rate = Math.min(rate, names.get(usage.link(i)).bandwidth() / usage.amount(i));
        }
        return rate;
    }

    private SharedLink link(int id) {
        while (links.size() <= id) {
            links.add(new SharedLink(names.get(links.size()).bandwidth()));
        }
        return links.get(id);
    }

    private void touch(SharedLink link) {
        if (!link.isChanged()) {
            link.changed(true);
            changed.add(link);
        }
    }

    private void end(Flow flow) {
        for (int i = 0; i < flow.usage().size(); i++) {
            SharedLink link = links.get(flow.usage().link(i));
            link.remove(flow, i, clock.now());
            touch(link);
        }
        flow.done().run();
    }

    /** Bytes that the flows of a link have moved or will move. */
    public double bytes(int link) {
        return link < links.size() ? links.get(link).bytes() : 0;
    }

    /** Nanoseconds during which a link that is idle now was busy. */
    public double busy(int link) {
        return link < links.size() ? links.get(link).busy() : 0;
    }

    /** Computes the rates after flows have begun or ended; called after all other events of a time. */
    public void settle() {
        if (changed.isEmpty() && started.isEmpty()) {
            return;
        }
        collect();
        if (!flows.isEmpty()) {
            fill();
            for (Flow flow : flows) {
                flow.visited(false);
                flow.frozen(false);
            }
        }
        tight.forEach(link -> link.visited(false));
        tight.clear();
        flows.clear();
        started.clear();
    }

    /**
     * Collects the flows whose rates may change: new flows, flows on a changed tight link, and flows that share tight
     * links with those.
     */
    private void collect() {
        started.forEach(this::visit);
        for (SharedLink link : changed) {
            boolean was = link.isTight();
            link.measure();
            link.changed(false);
            if (was || link.isTight()) {
                visit(link);
            }
        }
        changed.clear();
        for (int next = 0; next < flows.size(); next++) {
            LinkUsage usage = flows.get(next).usage();
            for (int i = 0; i < usage.size(); i++) {
                SharedLink link = links.get(usage.link(i));
                if (link.isTight()) {
                    visit(link);
                }
            }
        }
    }

    private void visit(Flow flow) {
        if (!flow.isVisited()) {
            flow.visited(true);
            flows.add(flow);
        }
    }

    private void visit(SharedLink link) {
        if (!link.isVisited()) {
            link.visited(true);
            tight.add(link);
            for (int i = 0; i < link.size(); i++) {
                visit(link.flow(i));
            }
        }
    }

    private void fill() {
        flows.sort(Comparator.comparingDouble(Flow::cap));
        tight.forEach(SharedLink::open);
        int next = 0;
        while (true) {
            while (next < flows.size() && flows.get(next).isFrozen()) {
                next++;
            }
            if (next == flows.size()) {
                return;
            }
            double level = Double.POSITIVE_INFINITY;
            for (SharedLink link : tight) {
                level = Math.min(level, link.level());
            }
            if (flows.get(next).cap() <= level) {
                while (next < flows.size() && flows.get(next).cap() <= level) {
                    freeze(flows.get(next), flows.get(next).cap());
                    next++;
                }
            } else {
                freezeAt(level);
            }
        }
    }

    private void freezeAt(double level) {
        List<SharedLink> full = new ArrayList<>();
        for (SharedLink link : tight) {
            if (link.level() <= level * (1 + TOLERANCE)) {
                full.add(link);
            }
        }
        for (SharedLink link : full) {
            for (int i = 0; i < link.size(); i++) {
                freeze(link.flow(i), level);
            }
        }
    }

    private void freeze(Flow flow, double rate) {
        if (flow.isFrozen()) {
            return;
        }
        flow.frozen(true);
        LinkUsage usage = flow.usage();
        for (int i = 0; i < usage.size(); i++) {
            SharedLink link = links.get(usage.link(i));
            if (link.isVisited()) {
                link.give(rate, usage.amount(i));
            }
        }
        if (Math.abs(rate - flow.rate()) > TOLERANCE * rate) {
            flow.go(clock, rate, () -> end(flow));
        }
    }
}

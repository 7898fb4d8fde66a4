package org.mscclj.analysis.simulate.flow;

import java.util.Arrays;

/** A link and its flows. */
final class SharedLink {
    private static final int FEW = 4;
    private static final double TOLERANCE = 1e-9;

    private final double capacity;
    private Flow[] flows = new Flow[FEW];
    private int[] positions = new int[FEW];
    private int size;
    private double demand;
    private boolean tight;
    private boolean changed;
    private boolean visited;
    private double bytes;
    private double busy;
    private double busySince;

    // State of the computation of rates: the capacity that is not assigned yet, and the weight of the flows without a
    // rate.
    private double left;
    private double weight;
    private int open;

    SharedLink(double capacity) {
        this.capacity = capacity;
    }

    int size() {
        return size;
    }

    Flow flow(int at) {
        return flows[at];
    }

    void add(Flow flow, int position, double work, double now) {
        if (size == flows.length) {
            flows = Arrays.copyOf(flows, 2 * size);
            positions = Arrays.copyOf(positions, 2 * size);
        }
        if (size == 0) {
            busySince = now;
        }
        flows[size] = flow;
        positions[size] = position;
        flow.slot(position, size++);
        double amount = flow.usage().amount(position);
        bytes += amount * work;
        demand += amount * flow.cap();
    }

    void remove(Flow flow, int position, double now) {
        int at = flow.slot(position);
        size--;
        flows[at] = flows[size];
        positions[at] = positions[size];
        flows[at].slot(positions[at], at);
        if (size == 0) {
            busy += now - busySince;
            demand = 0; // no rounding is kept
        } else {
            demand -= flow.usage().amount(position) * flow.cap();
        }
    }

    /** Whether its flows could use more than its capacity. */
    boolean isTight() {
        return tight;
    }

    /** Determines again whether its flows could use more than its capacity. */
    void measure() {
        tight = demand > capacity * (1 + TOLERANCE);
    }

    void open() {
        left = capacity;
        weight = 0;
        open = size;
        for (int i = 0; i < size; i++) {
            weight += flows[i].usage().amount(positions[i]);
        }
    }

    /** The rate available to each flow without a rate; infinite if there is no such flow. */
    double level() {
        return open == 0 ? Double.POSITIVE_INFINITY : Math.max(0, left) / weight;
    }

    void give(double rate, double amount) {
        left -= rate * amount;
        weight -= amount;
        open--;
    }

    boolean isChanged() {
        return changed;
    }

    void changed(boolean is) {
        changed = is;
    }

    boolean isVisited() {
        return visited;
    }

    void visited(boolean is) {
        visited = is;
    }

    double bytes() {
        return bytes;
    }

    double busy() {
        return busy;
    }
}

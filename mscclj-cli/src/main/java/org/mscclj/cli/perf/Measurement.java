package org.mscclj.cli.perf;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.Bandwidth;
import org.mscclj.cli.measure.SamplePlan;
import org.mscclj.cli.measure.Times;

/**
 * The result for one size and placement.
 *
 * @param shape the call
 * @param algorithm the algorithm
 * @param plan the launches of a sample, for all libraries; empty if the result was wrong
 * @param times times of a launch on the slowest rank; empty if the result was wrong
 * @param wrong number of wrong elements in all outputs; empty if results were not checked
 * @param peers times of each peer; empty of a peer that does not support the call
 */
record Measurement(
        CheckedCall shape,
        String algorithm,
        Optional<SamplePlan> plan,
        Optional<Times> times,
        OptionalLong wrong,
        List<Optional<Times>> peers) {
    Measurement {
        peers = List.copyOf(peers);
    }

    OptionalDouble micros() {
        return median(times);
    }

    /** Returns the time of a peer, by its place. */
    OptionalDouble peerMicros(int peer) {
        return median(peers.get(peer));
    }

    /** Returns a peer's time over ours. */
    OptionalDouble ratio(int peer) {
        OptionalDouble theirs = peerMicros(peer);
        return times.isPresent() && theirs.isPresent()
                ? OptionalDouble.of(theirs.getAsDouble() / times.get().medianMicros())
                : OptionalDouble.empty();
    }

    /** Returns a peer's bus bandwidth. */
    OptionalDouble peerBusBandwidth(int peer) {
        return Bandwidth.bus(shape, peerMicros(peer));
    }

    /** Returns the median over the least time; 0 without times. */
    double spread() {
        return times.map(Times::spread).orElse(0.0);
    }

    /** Whether other load has made the time useless. */
    boolean isDisturbed() {
        return times.filter(Times::isDisturbed).isPresent();
    }

    OptionalDouble algorithmBandwidth() {
        return Bandwidth.algorithm(shape, micros());
    }

    OptionalDouble busBandwidth() {
        return Bandwidth.bus(shape, micros());
    }

    /** Returns the launches of a sample as text: launches of a graph x replays. */
    String launches() {
        return plan.map(planned -> planned.size().repeats() == 1
                        ? Integer.toString(planned.launches())
                        : planned.launches() + "x" + planned.size().repeats())
                .orElse("-");
    }

    private static OptionalDouble median(Optional<Times> times) {
        return times.isPresent() ? OptionalDouble.of(times.get().medianMicros()) : OptionalDouble.empty();
    }
}

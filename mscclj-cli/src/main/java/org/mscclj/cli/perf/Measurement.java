package org.mscclj.cli.perf;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.Bandwidth;

/**
 * The result for one size and placement.
 *
 * @param shape the call
 * @param algorithm the algorithm
 * @param launches number of launches in a batch, for both libraries; 0 if the result was wrong
 * @param times times of a launch on the slowest rank; empty if the result was wrong
 * @param wrong number of wrong elements in all outputs; empty if results were not checked
 * @param peer times of the peer; empty without a peer, or if it does not support the call
 */
record Measurement(
        CheckedCall shape,
        String algorithm,
        int launches,
        Optional<Times> times,
        OptionalLong wrong,
        Optional<Times> peer) {
    OptionalDouble micros() {
        return median(times);
    }

    OptionalDouble peerMicros() {
        return median(peer);
    }

    /** Returns the peer's time over ours. */
    OptionalDouble ratio() {
        return times.isPresent() && peer.isPresent()
                ? OptionalDouble.of(peer.get().medianMicros() / times.get().medianMicros())
                : OptionalDouble.empty();
    }

    /** Returns the peer's bus bandwidth. */
    OptionalDouble peerBusBandwidth() {
        return Bandwidth.bus(shape, peerMicros());
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

    private static OptionalDouble median(Optional<Times> times) {
        return times.isPresent() ? OptionalDouble.of(times.get().medianMicros()) : OptionalDouble.empty();
    }
}

package org.mscclj.cli.perf;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.measure.Bandwidth;

/**
 * What came out for one size and placement.
 *
 * @param shape what was run
 * @param algorithm what ran it
 * @param launches of a batch, ours and the peer's; 0 if the result was wrong
 * @param times of a launch, the slowest rank's; empty if the result was wrong
 * @param wrong wrong elements of all outputs; empty if nobody looked
 * @param peer times of the peer; empty if there is none, or if it cannot do this
 */
record Measurement(
        CallShape shape,
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

    /** How many times as fast as the peer. */
    OptionalDouble ratio() {
        return times.isPresent() && peer.isPresent()
                ? OptionalDouble.of(peer.get().medianMicros() / times.get().medianMicros())
                : OptionalDouble.empty();
    }

    /** What the peer moves over a link in a second. */
    OptionalDouble peerBusBandwidth() {
        return Bandwidth.bus(shape, peerMicros());
    }

    /** How many times the least time the median is; 0 if there is none. */
    double spread() {
        return times.map(Times::spread).orElse(0.0);
    }

    /** Whether the machine was too busy for the time to be a result. */
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

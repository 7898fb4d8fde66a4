package org.mscclj.cli.perf;

import java.util.stream.DoubleStream;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.perf.peer.PeerTimer;

/**
 * Times of batches in nanoseconds, of this library and of the peer. The peer's are empty without a peer, and on ranks
 * other than 0.
 */
final class Rounds {
    private final double[] ours;
    private final double[] theirs;

    private Rounds(double[] ours, double[] theirs) {
        this.ours = ours;
        this.theirs = theirs;
    }

    /** Measures without a peer. */
    static Rounds alone(MeasuredCall call, Batch batch, PerfSettings settings) {
        warmUp(call, batch, settings);
        return new Rounds(call.time(settings.iterations(), batch), new double[0]);
    }

    /** Measures alternately with the peer, so that a slow period of the machine affects both. */
    static Rounds byTurns(MeasuredCall call, Batch batch, PeerTimer peer, int mostTurns, PerfSettings settings) {
        warmUp(call, batch, settings);
        if (settings.method() == LaunchMethod.GRAPH) {
            peer.time(1);
        }
        int turns = Math.min(mostTurns, settings.iterations());
        DoubleStream ours = DoubleStream.empty();
        DoubleStream theirs = DoubleStream.empty();
        for (int turn = 0; turn < turns; turn++) {
            // The first turns take the remainder.
            int batches = (settings.iterations() + turns - 1 - turn) / turns;
            ours = DoubleStream.concat(ours, DoubleStream.of(call.time(batches, batch)));
            theirs = DoubleStream.concat(theirs, DoubleStream.of(peer.time(batches)));
        }
        return new Rounds(ours.toArray(), theirs.toArray());
    }

    /** The first replay of a graph also uploads it to the device. */
    private static void warmUp(MeasuredCall call, Batch batch, PerfSettings settings) {
        if (settings.method() == LaunchMethod.GRAPH) {
            call.time(1, batch);
        }
    }

    double[] ours() {
        return ours;
    }

    double[] theirs() {
        return theirs;
    }
}

package org.mscclj.cli.perf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.SampleSize;
import org.mscclj.cli.measure.Sampling;
import org.mscclj.cli.perf.peer.PeerTimer;

/**
 * Times of samples in nanoseconds.
 *
 * @param ours of this library
 * @param theirs of each peer; empty of a peer that does not support the call, and on ranks other than 0
 */
record Rounds(List<Double> ours, List<List<Double>> theirs) {
    /**
     * Measures alternately with the peers, so that a slow period of the machine affects all of them.
     *
     * @param peers the peers; empty places are peers that do not support the call
     * @param mostTurns the maximum number of turns into which the samples are divided
     */
    static Rounds byTurns(
            MeasuredCall call,
            Batch batch,
            SampleSize size,
            List<Optional<PeerTimer>> peers,
            int mostTurns,
            Sampling sampling) {
        if (sampling.method() == LaunchMethod.GRAPH) {
            call.warmUp(sampling.graphWarmUp(), batch, size);
            peers.forEach(peer -> peer.ifPresent(timer -> timer.warmUp(sampling.graphWarmUp())));
        }
        List<Double> ours = new ArrayList<>();
        List<List<Double>> theirs =
                peers.stream().<List<Double>>map(_ -> new ArrayList<>()).toList();
        int turns = Math.min(mostTurns, sampling.samples());
        for (int turn = 0; turn < turns; turn++) {
            // The first turns take the remainder.
            int samples = (sampling.samples() + turns - 1 - turn) / turns;
            add(ours, call.time(samples, batch, size));
            for (int i = 0; i < peers.size(); i++) {
                List<Double> nanos = theirs.get(i);
                peers.get(i).ifPresent(timer -> add(nanos, timer.time(samples)));
            }
        }
        return new Rounds(ours, theirs);
    }

    private static void add(List<Double> all, double[] more) {
        DoubleStream.of(more).forEach(all::add);
    }
}

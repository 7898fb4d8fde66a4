package org.mscclj.cli.perf;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.Verdict;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.OperationSource;
import org.mscclj.cli.measure.WarmUp;
import org.mscclj.cli.perf.peer.Peer;
import org.mscclj.cli.perf.peer.PeerCall;
import org.mscclj.cli.perf.peer.PeerTimer;
import org.mscclj.cli.perf.peer.RankPeer;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;

/**
 * One rank's part of a measurement: all sizes and placements, checked and timed, by turns with the peer's.
 *
 * @param settings what to measure
 * @param peer what to compare with
 * @param report takes what rank 0 knows
 */
record PerfPart(PerfSettings settings, Optional<Peer> peer, PerfReport report) implements RankPart {
    /** Launches whose mean says how many make a batch; one alone is mostly the ranks' different starts. */
    private static final int ESTIMATE = 16;

    /** So many nanoseconds of launches make a batch: enough for the clock and the meeting before it to count for little. */
    private static final double BATCH_NANOS = 5_000_000;

    private static final int MOST_LAUNCHES = 20_000;

    /** A graph takes memory for each of its launches, and is not made of one alone. */
    private static final int MOST_GRAPH_LAUNCHES = 1_000;

    private static final int LEAST_GRAPH_LAUNCHES = 4;
    private static final int WARM_REPLAYS = 3;
    private static final Duration FIRST_WARM_UP = Duration.ofSeconds(20);

    @Override
    public void run(RankSession session) {
        if (peer.isEmpty()) {
            run(session, Optional.empty());
            return;
        }
        try (RankPeer other = peer.get().join(session)) {
            run(session, Optional.of(other));
        }
    }

    private void run(RankSession session, Optional<RankPeer> other) {
        long seed = session.allGather(settings.seed()).getFirst()[0];
        if (session.rank() == 0) {
            report.begin(new PerfHeader(settings, session.communicator().ranksPerNode(), seed));
        }
        Set<String> warm = new HashSet<>();
        for (long count : settings.counts()) {
            Map<Placement, Measurement> measurements = new EnumMap<>(Placement.class);
            for (Placement placement : settings.placements()) {
                CallShape shape = settings.shape(count, placement);
                if (session.rank() == 0) {
                    report.progress(shape, placement);
                }
                measurements.put(placement, measure(session, other, shape, seed, warm));
            }
            if (session.rank() == 0) {
                report.add(new PerfRow(measurements));
            }
        }
    }

    private Measurement measure(
            RankSession session, Optional<RankPeer> other, CallShape shape, long seed, Set<String> warm) {
        LaunchMethod method = settings.method();
        try (MeasuredCall call = MeasuredCall.prepare(session, shape, operation(shape));
                Batch once = call.batch(method, 1)) {
            Optional<Verdict> before = check(session, call, once, seed);
            if (before.isPresent() && !before.get().isRight()) {
                return measurement(shape, call, 0, Optional.empty(), before, Optional.empty());
            }
            call.fillWithZeros();
            int launches = launches(call, warm.add(call.algorithm()));
            try (Batch batch = call.batch(method, launches)) {
                if (method == LaunchMethod.GRAPH) {
                    call.time(1, batch); // the first replay also brings the graph to the device
                }
                Rounds rounds = rounds(call, batch, other, shape);
                return measurement(
                        shape,
                        call,
                        launches,
                        Optional.of(Times.of(rounds.ours(), launches)),
                        // Stale packets and counters show only after many launches.
                        check(session, call, once, seed + 1),
                        rounds.theirs().length == 0
                                ? Optional.empty()
                                : Optional.of(Times.of(rounds.theirs(), launches)));
            }
        }
    }

    /** Nanoseconds of each batch, by turns with the peer, so that a slow spell of the machine does not hit one alone. */
    private Rounds rounds(MeasuredCall call, Batch batch, Optional<RankPeer> other, CallShape shape) {
        if (other.isEmpty()) {
            return new Rounds(call.time(settings.iterations(), batch), new double[0]);
        }
        PeerCall same = new PeerCall(shape, settings.root(), settings.method(), batch.launches());
        Optional<PeerTimer> theirs = other.get().prepare(same);
        if (theirs.isEmpty()) {
            return new Rounds(call.time(settings.iterations(), batch), new double[0]);
        }
        try (PeerTimer timer = theirs.get()) {
            if (settings.method() == LaunchMethod.GRAPH) {
                timer.time(1);
            }
            int turns = Math.min(peer.map(Peer::mostTurns).orElse(1), settings.iterations());
            DoubleStream ourNanos = DoubleStream.empty();
            DoubleStream theirNanos = DoubleStream.empty();
            for (int turn = 0; turn < turns; turn++) {
                // The first turns take what does not divide evenly.
                int batches = (settings.iterations() + turns - 1 - turn) / turns;
                ourNanos = DoubleStream.concat(ourNanos, DoubleStream.of(call.time(batches, batch)));
                theirNanos = DoubleStream.concat(theirNanos, DoubleStream.of(timer.time(batches)));
            }
            return new Rounds(ourNanos.toArray(), theirNanos.toArray());
        }
    }

    /** Warms up, and says how many launches make a batch. */
    private int launches(MeasuredCall call, boolean first) {
        if (settings.method() == LaunchMethod.EAGER) {
            return (int) Math.clamp(Math.ceil(BATCH_NANOS / warmUp(call, first)), 1, MOST_LAUNCHES);
        }
        int replays = settings.warmUp()
                .map(launches -> Math.max(1, Math.ceilDiv(launches, ESTIMATE)))
                .orElse(WARM_REPLAYS);
        try (Batch probe = call.batch(LaunchMethod.GRAPH, ESTIMATE)) {
            double nanos = Arrays.stream(call.time(replays, probe)).min().orElseThrow() / ESTIMATE;
            return settings.graphOperations().orElseGet(() ->
                    (int) Math.clamp(Math.ceil(BATCH_NANOS / nanos), LEAST_GRAPH_LAUNCHES, MOST_GRAPH_LAUNCHES));
        }
    }

    /** The first call of an algorithm takes long: what it runs is compiled meanwhile. */
    private double warmUp(MeasuredCall call, boolean first) {
        if (settings.warmUp().isEmpty()) {
            return call.warmUp(first ? WarmUp.thorough(FIRST_WARM_UP) : WarmUp.brief());
        }
        int launches = settings.warmUp().get();
        if (launches > 0) {
            call.warmUp(launches);
        }
        return call.time(1, ESTIMATE)[0] / (double) ESTIMATE;
    }

    private Optional<Verdict> check(RankSession session, MeasuredCall call, Batch once, long seed) {
        if (!settings.check()) {
            return Optional.empty();
        }
        Verdict verdict = call.check(seed, once);
        if (session.rank() == 0) {
            report.tell(verdict);
        }
        return Optional.of(verdict);
    }

    private static Measurement measurement(
            CallShape shape,
            MeasuredCall call,
            int launches,
            Optional<Times> times,
            Optional<Verdict> verdict,
            Optional<Times> peer) {
        return new Measurement(
                shape,
                call.algorithm(),
                launches,
                times,
                verdict.isPresent() ? OptionalLong.of(verdict.get().wrong()) : OptionalLong.empty(),
                peer);
    }

    private OperationSource operation(CallShape shape) {
        return (communicator, input, output) -> {
            CollectiveCall call = new CollectiveCall(
                    shape.collective(), input, output, shape.type(), shape.op(), settings.root(), settings.algorithm());
            return communicator.prepare(call);
        };
    }
}

package org.mscclj.cli.perf;

import java.time.Duration;
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
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.OperationSource;
import org.mscclj.cli.measure.WarmUp;
import org.mscclj.cli.perf.peer.Peer;
import org.mscclj.cli.perf.peer.PeerCall;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;

/**
 * One rank's part of a measurement: all sizes and placements, checked and timed, by turns with the peer's.
 *
 * @param settings what to measure
 * @param peer what to compare with; rank 0 runs it while the other ranks wait
 * @param report takes what rank 0 knows
 */
record PerfPart(PerfSettings settings, Optional<Peer> peer, PerfReport report) implements RankPart {
    /** Launches whose mean says how many make a batch; one alone is mostly the ranks' different starts. */
    private static final int ESTIMATE = 16;

    /** So many nanoseconds of launches make a batch: enough for the clock and the meeting before it to count for little. */
    private static final double BATCH_NANOS = 5_000_000;

    private static final int MOST_LAUNCHES = 20_000;

    private static final Duration FIRST_WARM_UP = Duration.ofSeconds(20);

    /** How often peer and we take turns, so that a slow spell of the machine does not hit one alone. */
    private static final int TURNS = 2;

    @Override
    public void run(RankSession session) {
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
                measurements.put(placement, measure(session, shape, seed, warm));
            }
            if (session.rank() == 0) {
                report.add(new PerfRow(measurements));
            }
        }
    }

    private Measurement measure(RankSession session, CallShape shape, long seed, Set<String> warm) {
        try (MeasuredCall call = MeasuredCall.prepare(session, shape, operation(shape))) {
            Optional<Verdict> before = check(session, call, seed);
            if (before.isPresent() && !before.get().isRight()) {
                return measurement(shape, call, Optional.empty(), before, Optional.empty());
            }
            call.fillWithZeros();
            int launches = launches(warmUp(call, warm.add(call.algorithm())));
            int turns = peer.isPresent() ? Math.min(TURNS, settings.iterations()) : 1;
            DoubleStream ours = DoubleStream.empty();
            DoubleStream theirs = DoubleStream.empty();
            for (int turn = 0; turn < turns; turn++) {
                // The first turns take what does not divide evenly.
                int batches = (settings.iterations() + turns - 1 - turn) / turns;
                ours = DoubleStream.concat(ours, DoubleStream.of(call.time(batches, launches)));
                theirs = DoubleStream.concat(theirs, DoubleStream.of(peerTimes(session, shape, batches, launches)));
            }
            double[] peerNanos = theirs.toArray();
            return measurement(
                    shape,
                    call,
                    Optional.of(Times.of(ours.toArray(), launches)),
                    // Stale packets and counters show only after many launches.
                    check(session, call, seed + 1),
                    peerNanos.length == 0 ? Optional.empty() : Optional.of(Times.of(peerNanos, launches)));
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

    private static int launches(double nanos) {
        return (int) Math.clamp(Math.ceil(BATCH_NANOS / nanos), 1, MOST_LAUNCHES);
    }

    /** Nanoseconds of each batch, on rank 0; none elsewhere. */
    private double[] peerTimes(RankSession session, CallShape shape, int batches, int launches) {
        if (peer.isEmpty()) {
            return new double[0];
        }
        session.beginWork("peer");
        if (session.rank() != 0) {
            return new double[0];
        }
        try {
            return peer.get().time(new PeerCall(shape, settings.root(), batches, launches));
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    private Optional<Verdict> check(RankSession session, MeasuredCall call, long seed) {
        if (!settings.check()) {
            return Optional.empty();
        }
        Verdict verdict = call.check(seed);
        if (session.rank() == 0) {
            report.tell(verdict);
        }
        return Optional.of(verdict);
    }

    private static Measurement measurement(
            CallShape shape,
            MeasuredCall call,
            Optional<Times> times,
            Optional<Verdict> verdict,
            Optional<Times> peer) {
        return new Measurement(
                shape,
                call.algorithm(),
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

package org.mscclj.cli.perf;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.Device;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.OperationSource;
import org.mscclj.cli.measure.SamplePlan;
import org.mscclj.cli.measure.StreamClock;
import org.mscclj.cli.measure.Times;
import org.mscclj.cli.perf.peer.Peer;
import org.mscclj.cli.perf.peer.PeerCall;
import org.mscclj.cli.perf.peer.PeerTimer;
import org.mscclj.cli.perf.peer.RankPeer;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;

/**
 * Runs a measurement on one rank: checks and times all sizes and placements, alternating with the peers.
 *
 * @param settings the settings
 * @param peers the libraries to compare with
 * @param report receives the results on rank 0
 */
record PerfPart(PerfSettings settings, List<Peer> peers, PerfReport report) implements RankPart {
    PerfPart {
        peers = List.copyOf(peers);
    }

    @Override
    public void run(RankSession session) {
        join(session, List.of());
    }

    /** Joins the next peer, until all have joined. */
    private void join(RankSession session, List<RankPeer> joined) {
        if (joined.size() == peers.size()) {
            run(session, joined);
            return;
        }
        try (RankPeer next = peers.get(joined.size()).join(session)) {
            join(session, with(joined, next));
        }
    }

    private void run(RankSession session, List<RankPeer> others) {
        long seed = session.allGather(settings.seed()).getFirst()[0];
        if (session.rank() == 0) {
            report.begin(new PerfHeader(
                    settings,
                    session.communicator().ranksPerNode(),
                    seed,
                    clock(session.communicator().device())));
        }
        Set<String> warm = new HashSet<>();
        for (long count : settings.counts()) {
            Map<BufferPlacement, Measurement> measurements = new EnumMap<>(BufferPlacement.class);
            for (BufferPlacement placement : settings.placements()) {
                CheckedCall shape = settings.shape(count, placement);
                if (session.rank() == 0) {
                    report.progress(shape, placement);
                }
                measurements.put(placement, measure(session, others, shape, seed, warm));
            }
            if (session.rank() == 0) {
                report.add(new PerfRow(measurements));
            }
        }
    }

    private String clock(Device device) {
        return settings.sampling().method() == LaunchMethod.GRAPH ? StreamClock.label(device) : "host";
    }

    private Measurement measure(
            RankSession session, List<RankPeer> others, CheckedCall shape, long seed, Set<String> warm) {
        LaunchMethod method = settings.sampling().method();
        try (MeasuredCall call = MeasuredCall.prepare(session, shape, operation(shape));
                Batch once = call.batch(method, 1)) {
            Optional<LaunchFindings> before = check(session, call, once, seed);
            if (before.isPresent() && !before.get().isRight()) {
                return new Measurement(
                        shape, call.algorithm(), Optional.empty(), Optional.empty(), wrong(before), untimed());
            }
            call.fillWithZeros();
            SamplePlan plan = SamplePlan.of(call, settings.sampling(), warm.add(call.algorithm()));
            try (Batch batch = call.batch(method, plan.launches())) {
                Turns turns = new Turns(call, batch, plan, shape);
                Rounds rounds = turns.with(others, List.of());
                return new Measurement(
                        shape,
                        call.algorithm(),
                        Optional.of(plan),
                        times(rounds.ours(), plan),
                        // Stale packets and counters show only after many launches.
                        wrong(check(session, call, once, seed + 1)),
                        rounds.theirs().stream()
                                .map(theirs -> times(theirs, plan))
                                .toList());
            }
        }
    }

    /** A call of which samples are taken in turns with the peers. */
    private final class Turns {
        private final MeasuredCall call;
        private final Batch batch;
        private final SamplePlan plan;
        private final CheckedCall shape;

        Turns(MeasuredCall call, Batch batch, SamplePlan plan, CheckedCall shape) {
            this.call = call;
            this.batch = batch;
            this.plan = plan;
            this.shape = shape;
        }

        /** Prepares the call of the next peer, until all have one; then takes the samples. */
        Rounds with(List<RankPeer> others, List<Optional<PeerTimer>> timers) {
            if (timers.size() == others.size()) {
                int mostTurns = peers.stream().mapToInt(Peer::mostTurns).min().orElse(1);
                return Rounds.byTurns(call, batch, plan.size(), timers, mostTurns, settings.sampling());
            }
            PeerCall same =
                    new PeerCall(shape, settings.root(), settings.sampling().method(), plan.launches(), plan.size());
            Optional<PeerTimer> next = others.get(timers.size()).prepare(same);
            if (next.isEmpty()) {
                return with(others, PerfPart.with(timers, next));
            }
            try (PeerTimer _ = next.get()) {
                return with(others, PerfPart.with(timers, next));
            }
        }
    }

    private static <T> List<T> with(List<T> some, T next) {
        List<T> more = new ArrayList<>(some);
        more.add(next);
        return List.copyOf(more);
    }

    private Optional<LaunchFindings> check(RankSession session, MeasuredCall call, Batch once, long seed) {
        if (!settings.check()) {
            return Optional.empty();
        }
        LaunchFindings verdict = call.check(seed, once);
        if (session.rank() == 0) {
            report.verdict(verdict);
        }
        return Optional.of(verdict);
    }

    private static OptionalLong wrong(Optional<LaunchFindings> verdict) {
        return verdict.isPresent() ? OptionalLong.of(verdict.get().wrong()) : OptionalLong.empty();
    }

    private List<Optional<Times>> untimed() {
        return peers.stream().map(_ -> Optional.<Times>empty()).toList();
    }

    private static Optional<Times> times(List<Double> nanos, SamplePlan plan) {
        return nanos.isEmpty() ? Optional.empty() : Optional.of(Times.of(nanos, plan.timedLaunches()));
    }

    private OperationSource operation(CheckedCall shape) {
        return (communicator, input, output) -> {
            CollectiveCall call = new CollectiveCall(
                    shape.collective(), input, output, shape.type(), shape.op(), settings.root(), settings.algorithm());
            return communicator.prepare(call);
        };
    }
}

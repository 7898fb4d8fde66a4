package org.mscclj.cli.perf;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mscclj.api.CollectiveCall;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.OperationSource;
import org.mscclj.cli.perf.peer.Peer;
import org.mscclj.cli.perf.peer.PeerCall;
import org.mscclj.cli.perf.peer.PeerTimer;
import org.mscclj.cli.perf.peer.RankPeer;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;

/**
 * Runs a measurement on one rank: checks and times all sizes and placements, alternating with the peer.
 *
 * @param settings the settings
 * @param peer the library to compare with
 * @param report receives the results on rank 0
 */
record PerfPart(PerfSettings settings, Optional<Peer> peer, PerfReport report) implements RankPart {
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
            Map<BufferPlacement, Measurement> measurements = new EnumMap<>(BufferPlacement.class);
            for (BufferPlacement placement : settings.placements()) {
                CheckedCall shape = settings.shape(count, placement);
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
            RankSession session, Optional<RankPeer> other, CheckedCall shape, long seed, Set<String> warm) {
        LaunchMethod method = settings.method();
        try (MeasuredCall call = MeasuredCall.prepare(session, shape, operation(shape));
                Batch once = call.batch(method, 1)) {
            Optional<LaunchFindings> before = check(session, call, once, seed);
            if (before.isPresent() && !before.get().isRight()) {
                return measurement(shape, call, 0, Optional.empty(), before, Optional.empty());
            }
            call.fillWithZeros();
            int launches = LaunchCount.of(call, settings, warm.add(call.algorithm()));
            try (Batch batch = call.batch(method, launches)) {
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

    private Rounds rounds(MeasuredCall call, Batch batch, Optional<RankPeer> other, CheckedCall shape) {
        PeerCall same = new PeerCall(shape, settings.root(), settings.method(), batch.launches());
        Optional<PeerTimer> theirs = other.flatMap(rank -> rank.prepare(same));
        if (theirs.isEmpty()) {
            return Rounds.alone(call, batch, settings);
        }
        try (PeerTimer timer = theirs.get()) {
            return Rounds.byTurns(call, batch, timer, peer.map(Peer::mostTurns).orElse(1), settings);
        }
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

    private static Measurement measurement(
            CheckedCall shape,
            MeasuredCall call,
            int launches,
            Optional<Times> times,
            Optional<LaunchFindings> verdict,
            Optional<Times> peer) {
        return new Measurement(
                shape,
                call.algorithm(),
                launches,
                times,
                verdict.isPresent() ? OptionalLong.of(verdict.get().wrong()) : OptionalLong.empty(),
                peer);
    }

    private OperationSource operation(CheckedCall shape) {
        return (communicator, input, output) -> {
            CollectiveCall call = new CollectiveCall(
                    shape.collective(), input, output, shape.type(), shape.op(), settings.root(), settings.algorithm());
            return communicator.prepare(call);
        };
    }
}

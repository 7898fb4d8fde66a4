package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.SamplePlan;
import org.mscclj.cli.measure.Sampling;
import org.mscclj.cli.measure.Times;
import org.mscclj.cli.perf.peer.PeerCall;
import org.mscclj.cli.perf.peer.PeerTimer;

/** Measures candidates of one call on one rank. All ranks call the methods alike, and get equal times. */
final class SizeContest implements CandidateSearch.Trial {
    private static final int MAX_FINALISTS = 4;

    /** Of the inputs by which results are checked. */
    private static final long SEED = 1;

    /** Samples of a trial, after a first one that shows whether the candidate is far behind. */
    private static final int FIRST_SAMPLES = 2;

    private final TuningRank rank;
    private final Sampling sampling;
    private final CheckedCall call;
    private final TunedMemory memory;
    private final TunedBuffers buffers;
    private final Map<Candidate, Boolean> checked = new HashMap<>();

    SizeContest(TuningRank rank, CheckedCall call, TunedMemory memory, TunedBuffers buffers) {
        this.rank = rank;
        this.sampling = rank.settings().sampling();
        this.call = call;
        this.memory = memory;
        this.buffers = buffers;
    }

    /** Measures a candidate for the first time, with few samples; with one, if it is far behind. */
    @Override
    public OptionalDouble micros(Candidate candidate, double fastestMicros) {
        if (rank.isFirst()) {
            rank.report().trial();
        }
        try (MeasuredCall measured = prepare(Optional.of(candidate))) {
            SamplePlan plan = plan(measured, Optional.of(candidate)).brief();
            try (Batch batch = measured.batch(sampling.method(), plan.launches())) {
                Entry entry = new Entry(Optional.of(candidate), measured, plan, batch);
                entry.time(1);
                if (entry.micros() <= CandidateSearch.FAR * fastestMicros) {
                    entry.time(FIRST_SAMPLES);
                }
                return OptionalDouble.of(entry.micros());
            }
        } catch (UnsupportedException _) {
            return OptionalDouble.empty(); // on all ranks
        }
    }

    /**
     * Measures the fastest candidates again, in turns with a call that names no program, and with the peers. A
     * candidate whose result is wrong is left out.
     *
     * @param tried all candidates, the fastest first
     * @param always candidates that are measured however fast they are
     */
    SizeTrials finals(List<TimedCandidate> tried, Set<Candidate> always) {
        List<Candidate> finalists = new ArrayList<>();
        for (TimedCandidate trial : tried) {
            boolean near = finalists.size() < MAX_FINALISTS
                    && trial.micros()
                            <= CandidateSearch.NEARLY * tried.getFirst().micros();
            if ((near || always.contains(trial.candidate())) && isRight(trial.candidate())) {
                finalists.add(trial.candidate());
            }
        }
        if (finalists.isEmpty()) {
            return new SizeTrials(call.messageBytes(), tried, List.of(), Double.NaN, List.of());
        }
        return inTurns(
                tried,
                Stream.concat(finalists.stream().map(Optional::of), Stream.of(Optional.<Candidate>empty()))
                        .toList(),
                List.of());
    }

    @Override
    public boolean isRight(Candidate candidate) {
        return checked.computeIfAbsent(candidate, this::check);
    }

    private boolean check(Candidate candidate) {
        try (MeasuredCall measured = prepare(Optional.of(candidate))) {
            long wrong = measured.check(SEED).wrong(); // on all ranks
            if (wrong > 0 && rank.isFirst()) {
                rank.report().wrong(candidate, call, memory, wrong);
            }
            return wrong == 0;
        }
    }

    /** Prepares the next entry, until all are; then measures them. */
    private SizeTrials inTurns(List<TimedCandidate> tried, List<Optional<Candidate>> names, List<Entry> prepared) {
        if (prepared.size() == names.size()) {
            return withPeers(tried, prepared, List.of());
        }
        Optional<Candidate> next = names.get(prepared.size());
        try (MeasuredCall measured = prepare(next)) {
            SamplePlan plan = plan(measured, next);
            try (Batch batch = measured.batch(sampling.method(), plan.launches())) {
                List<Entry> more = new ArrayList<>(prepared);
                more.add(new Entry(next, measured, plan, batch));
                return inTurns(tried, names, more);
            }
        }
    }

    /** Prepares the next peer, until all are; then takes the samples. */
    private SizeTrials withPeers(List<TimedCandidate> tried, List<Entry> entries, List<Optional<PeerTimer>> timers) {
        if (timers.size() == rank.peers().size()) {
            return samples(tried, entries, timers);
        }
        SamplePlan plan = entries.getFirst().plan;
        Optional<PeerTimer> next = rank.peers()
                .get(timers.size())
                .prepare(new PeerCall(call, 0, sampling.method(), plan.launches(), plan.size()));
        List<Optional<PeerTimer>> more = new ArrayList<>(timers);
        more.add(next);
        if (next.isEmpty()) {
            return withPeers(tried, entries, more);
        }
        try (PeerTimer _ = next.get()) {
            return withPeers(tried, entries, more);
        }
    }

    private SizeTrials samples(List<TimedCandidate> tried, List<Entry> entries, List<Optional<PeerTimer>> timers) {
        if (sampling.method() == LaunchMethod.GRAPH) {
            entries.getFirst().warmUp(sampling); // the others follow without a pause
        }
        int launches = entries.getFirst().plan.timedLaunches();
        List<List<Double>> theirs =
                timers.stream().<List<Double>>map(_ -> new ArrayList<>()).toList();
        for (int sample = 0; sample < sampling.samples(); sample++) {
            entries.forEach(entry -> entry.time(1));
            for (int i = 0; i < timers.size(); i++) {
                List<Double> nanos = theirs.get(i);
                timers.get(i).ifPresent(timer -> DoubleStream.of(timer.time(1)).forEach(nanos::add));
            }
        }
        return new SizeTrials(
                call.messageBytes(),
                tried,
                entries.stream().flatMap(entry -> entry.trial().stream()).toList(),
                entries.getLast().micros(),
                theirs.stream()
                        .map(nanos -> nanos.isEmpty() // not supported, or a rank other than 0
                                ? Double.NaN
                                : Times.of(nanos, launches).medianMicros())
                        .toList());
    }

    private MeasuredCall prepare(Optional<Candidate> candidate) {
        return MeasuredCall.prepare(
                rank.session(),
                call,
                buffers::next,
                (communicator, input, output) -> communicator.prepare(new CollectiveCall(
                        call.collective(),
                        input,
                        output,
                        call.type(),
                        call.op(),
                        0,
                        candidate.map(Candidate::algorithm))));
    }

    private SamplePlan plan(MeasuredCall measured, Optional<Candidate> candidate) {
        measured.fillWithZeros();
        return SamplePlan.of(measured, sampling, rank.warm().add(candidate.map(Candidate::name)));
    }

    /** A candidate that is prepared, with its samples so far; without a candidate, the call that names none. */
    private static final class Entry {
        private final Optional<Candidate> candidate;
        private final MeasuredCall measured;
        private final SamplePlan plan;
        private final Batch batch;
        private final List<Double> nanos = new ArrayList<>();

        Entry(Optional<Candidate> candidate, MeasuredCall measured, SamplePlan plan, Batch batch) {
            this.candidate = candidate;
            this.measured = measured;
            this.plan = plan;
            this.batch = batch;
        }

        void warmUp(Sampling sampling) {
            measured.warmUp(sampling.graphWarmUp(), batch, plan.size());
        }

        void time(int samples) {
            DoubleStream.of(measured.time(samples, batch, plan.size())).forEach(nanos::add);
        }

        double micros() {
            return Times.of(nanos, plan.timedLaunches()).medianMicros();
        }

        Optional<TimedCandidate> trial() {
            return candidate.map(of -> new TimedCandidate(of, micros()));
        }
    }
}

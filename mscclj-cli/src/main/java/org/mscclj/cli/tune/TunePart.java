package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.SamplePlan;
import org.mscclj.cli.measure.Sampling;
import org.mscclj.cli.measure.Times;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.selection.ProgramRanking;
import org.mscclj.spi.device.BackendDevice;

/**
 * Measures all candidates on one rank. All ranks get the same times, those of the slowest rank, and so decide alike.
 *
 * @param settings what is measured
 * @param report receives the results of rank 0
 */
record TunePart(TuneSettings settings, TuneReport report) implements RankPart {
    /** A candidate within this factor of the fastest one is measured again, in turns with it. */
    private static final double NEARLY = 1.15;

    private static final int MAX_FINALISTS = 4;

    /** Of the inputs by which results are checked. */
    private static final long SEED = 1;

    /** Samples that decide which candidates are measured again. */
    private static final int FIRST_SAMPLES = 3;

    @Override
    public void run(RankSession session) {
        TuneSettings.requireOneNode(session.ranks(), session.communicator().ranksPerNode());
        TuningKey key = session.communicator().tuningKey();
        if (session.rank() == 0) {
            report.begin(key);
        }
        for (Collective collective : settings.collectives()) {
            for (TunedMemory memory : settings.memories()) {
                BestPrograms best = new BestPrograms();
                List<SizeTrials> measured = new ArrayList<>();
                for (CheckedCall call : settings.calls(collective)) {
                    if (session.rank() == 0) {
                        report.measuring(call, memory);
                    }
                    SizeTrials trials = new Contest(session, call, memory).trials(best);
                    if (trials.finals().isEmpty()) {
                        throw new UnsupportedException("no program serves " + collective + " of " + call.messageBytes()
                                + " bytes in " + memory.label() + " memory");
                    }
                    best.add(call.messageBytes(), trials.finals());
                    measured.add(trials);
                }
                if (session.rank() == 0) {
                    report.add(collective, memory, best, measured);
                }
            }
        }
    }

    /** The candidates for one call. */
    private final class Contest {
        private final RankSession session;
        private final CheckedCall call;
        private final TunedMemory memory;

        Contest(RankSession session, CheckedCall call, TunedMemory memory) {
            this.session = session;
            this.call = call;
            this.memory = memory;
        }

        /** Returns all times; without finals if no program serves the call. */
        SizeTrials trials(BestPrograms best) {
            BackendDevice device = (BackendDevice) session.communicator().device();
            List<TimedCandidate> all = new ArrayList<>();
            for (Candidate candidate : Candidate.of(
                    ProgramSpec.of(call.collective(), call.ranks()),
                    call.messageBytes(),
                    new ProgramRanking(device.programPreference()),
                    best.chosen())) {
                first(candidate).ifPresent(all::add);
            }
            all.sort(Comparator.comparingDouble(TimedCandidate::micros));
            List<Candidate> finalists = all.stream()
                    .filter(trial -> trial.micros() <= NEARLY * all.getFirst().micros()
                            || best.last().equals(Optional.of(trial.candidate())))
                    .limit(MAX_FINALISTS)
                    .map(TimedCandidate::candidate)
                    .toList();
            return new SizeTrials(
                    call.messageBytes(),
                    all,
                    again(finalists, List.of()),
                    finalists.isEmpty() ? Double.NaN : untuned());
        }

        /** Measures a call that names no program, as often as a finalist. */
        private double untuned() {
            try (MeasuredCall measured = prepare(Optional.empty())) {
                SamplePlan plan = plan(measured);
                try (Batch batch = measured.batch(settings.sampling().method(), plan.launches())) {
                    measured.warmUp(settings.sampling().graphWarmUp(), batch, plan.size());
                    List<Double> nanos = DoubleStream.of(
                                    measured.time(settings.sampling().samples(), batch, plan.size()))
                            .boxed()
                            .toList();
                    return Times.of(nanos, plan.timedLaunches()).medianMicros();
                }
            }
        }

        private Optional<TimedCandidate> first(Candidate candidate) {
            try (MeasuredCall measured = prepare(candidate)) {
                long wrong = measured.check(SEED).wrong(); // on all ranks
                if (wrong > 0) {
                    if (session.rank() == 0) {
                        report.wrong(candidate, call, memory, wrong);
                    }
                    return Optional.empty();
                }
                SamplePlan plan = plan(measured);
                try (Batch batch = measured.batch(settings.sampling().method(), plan.launches())) {
                    Entry entry = new Entry(candidate, measured, plan, batch);
                    entry.time(FIRST_SAMPLES); // warm from planning them
                    return Optional.of(entry.trial());
                }
            } catch (UnsupportedException _) {
                return Optional.empty(); // on all ranks
            }
        }

        /** Prepares the next finalist, until all are; then measures them in turns. */
        private List<TimedCandidate> again(List<Candidate> finalists, List<Entry> prepared) {
            if (prepared.size() == finalists.size()) {
                prepared.forEach(entry -> entry.warmUp(settings.sampling()));
                for (int sample = 0; sample < settings.sampling().samples(); sample++) {
                    prepared.forEach(entry -> entry.time(1));
                }
                return prepared.stream().map(Entry::trial).toList();
            }
            Candidate candidate = finalists.get(prepared.size());
            try (MeasuredCall measured = prepare(candidate)) {
                SamplePlan plan = plan(measured);
                try (Batch batch = measured.batch(settings.sampling().method(), plan.launches())) {
                    List<Entry> more = new ArrayList<>(prepared);
                    more.add(new Entry(candidate, measured, plan, batch));
                    return again(finalists, more);
                }
            }
        }

        private MeasuredCall prepare(Candidate candidate) {
            return prepare(Optional.of(candidate.algorithm()));
        }

        private MeasuredCall prepare(Optional<String> algorithm) {
            return MeasuredCall.prepare(
                    session,
                    call,
                    memory == TunedMemory.REGISTERED
                            ? session.communicator()::allocate
                            : session.communicator().device()::allocate,
                    (communicator, input, output) -> communicator.prepare(new CollectiveCall(
                            call.collective(), input, output, call.type(), call.op(), 0, algorithm)));
        }

        private SamplePlan plan(MeasuredCall measured) {
            measured.fillWithZeros();
            return SamplePlan.of(measured, settings.sampling(), false);
        }
    }

    /** A candidate that is prepared, with its samples so far. */
    private static final class Entry {
        private final Candidate candidate;
        private final MeasuredCall measured;
        private final SamplePlan plan;
        private final Batch batch;
        private final List<Double> nanos = new ArrayList<>();

        Entry(Candidate candidate, MeasuredCall measured, SamplePlan plan, Batch batch) {
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

        TimedCandidate trial() {
            return new TimedCandidate(
                    candidate, Times.of(nanos, plan.timedLaunches()).medianMicros());
        }
    }
}

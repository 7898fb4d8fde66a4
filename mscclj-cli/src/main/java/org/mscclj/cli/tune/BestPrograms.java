package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The fastest candidates of a collective by ascending size. Used by one thread. */
final class BestPrograms {
    /**
     * A candidate replaces the communicator's choice, or else that of the next smaller size, only if its time is less
     * than this part of the other time: samples of equal launches differ by less.
     */
    private static final double CLEARLY = 0.98;

    private final List<Step> steps = new ArrayList<>();

    /**
     * The choice for a size.
     *
     * @param bytes the size of the message
     * @param chosen the candidate of the table
     * @param trials all candidates that were measured to the end, and the communicator's choice, the fastest first
     */
    record Step(long bytes, Candidate chosen, List<TimedCandidate> trials) {}

    /**
     * Adds the candidates of the next size. The communicator's choice stays if it is nearly as fast as the fastest one,
     * and so does the choice for the size before.
     *
     * @param trials the candidates
     * @param untunedMicros the time of the communicator's choice; NaN if it was not measured
     */
    Step add(long bytes, List<TimedCandidate> trials, double untunedMicros) {
        Stream<TimedCandidate> untuned = Double.isNaN(untunedMicros)
                ? Stream.empty()
                : Stream.of(new TimedCandidate(Candidate.UNTUNED, untunedMicros));
        List<TimedCandidate> sorted = Stream.concat(untuned, trials.stream())
                .sorted(Comparator.comparingDouble(TimedCandidate::micros))
                .toList();
        TimedCandidate fastest = sorted.getFirst();
        Candidate chosen = near(sorted, Optional.of(Candidate.UNTUNED))
                .or(() -> near(sorted, last()))
                .orElse(fastest)
                .candidate();
        Step step = new Step(bytes, chosen, sorted);
        steps.add(step);
        return step;
    }

    /** Returns a candidate if it is nearly as fast as the fastest one. */
    private static Optional<TimedCandidate> near(List<TimedCandidate> sorted, Optional<Candidate> wanted) {
        return sorted.stream()
                .filter(trial -> wanted.equals(Optional.of(trial.candidate())))
                .filter(trial -> sorted.getFirst().micros() > CLEARLY * trial.micros())
                .findFirst();
    }

    /** Returns the choice for the largest size so far. */
    Optional<Candidate> last() {
        return steps.isEmpty() ? Optional.empty() : Optional.of(steps.getLast().chosen());
    }

    /** Returns the choices so far, one for each size. */
    List<Candidate> all() {
        return steps.stream().map(Step::chosen).toList();
    }

    /**
     * Returns the choices that differ from the one of the next smaller size; the first one is for all smaller sizes.
     */
    List<Step> changes() {
        List<Step> changes = new ArrayList<>();
        for (Step step : steps) {
            if (changes.isEmpty()) {
                changes.add(new Step(0, step.chosen(), step.trials()));
            } else if (!step.chosen().equals(changes.getLast().chosen())) {
                changes.add(step);
            }
        }
        return changes;
    }
}

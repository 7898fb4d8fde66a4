package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The fastest candidates of a collective by ascending size. Used by one thread. */
final class BestPrograms {
    /** A candidate replaces the one of the next smaller size only if it is faster by this factor. */
    private static final double CLEARLY = 0.98;

    private final List<Step> steps = new ArrayList<>();

    /**
     * The choice for a size.
     *
     * @param bytes the size of the message
     * @param chosen the candidate of the table
     * @param trials all candidates that were measured to the end, the fastest first
     */
    record Step(long bytes, Candidate chosen, List<TimedCandidate> trials) {}

    /** Adds the candidates of the next size. The one of the size before it stays if it is nearly as fast. */
    Step add(long bytes, List<TimedCandidate> trials) {
        List<TimedCandidate> sorted = trials.stream()
                .sorted(Comparator.comparingDouble(TimedCandidate::micros))
                .toList();
        TimedCandidate fastest = sorted.getFirst();
        Candidate chosen = last().flatMap(before -> sorted.stream()
                        .filter(trial -> trial.candidate().equals(before))
                        .filter(trial -> fastest.micros() > CLEARLY * trial.micros())
                        .findFirst())
                .orElse(fastest)
                .candidate();
        Step step = new Step(bytes, chosen, sorted);
        steps.add(step);
        return step;
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

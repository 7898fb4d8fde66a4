package org.mscclj.cli.run;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The result of one of several runs.
 *
 * @param name the name of the plan
 * @param step the run; empty if the plan cannot be read, or does not allow the call
 * @param outcome the outcome
 * @param run the result; empty if the run did not complete
 * @param reason the reason of a failure; empty if it passed
 */
record StepResult(String name, Optional<PlanStep> step, Outcome outcome, Optional<ShapeRun> run, String reason) {
    /** The outcome of a run. */
    enum Outcome {
        RIGHT("right"),
        WRONG("wrong"),
        FAILED("failed"),
        UNSUPPORTED("unsupported"),
        BAD_PLAN("bad plan");

        private final String label;

        Outcome(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }

        /** Whether this outcome fails the command. */
        boolean isFailure() {
            return this != RIGHT && this != UNSUPPORTED;
        }
    }

    static StepResult ended(PlanStep step, ShapeRun run) {
        return new StepResult(
                step.name(),
                Optional.of(step),
                run.verdict().isRight() ? Outcome.RIGHT : Outcome.WRONG,
                Optional.of(run),
                run.verdict().sentences().stream().limit(1).collect(Collectors.joining()));
    }

    static StepResult of(PlanStep step, Outcome outcome, String reason) {
        return new StepResult(step.name(), Optional.of(step), outcome, Optional.empty(), reason);
    }

    static StepResult of(String name, Outcome outcome, String reason) {
        return new StepResult(name, Optional.empty(), outcome, Optional.empty(), reason);
    }

    OptionalDouble micros() {
        return run.map(ended -> ended.result().micros()).orElse(OptionalDouble.empty());
    }

    OptionalDouble busBandwidth() {
        return run.map(ended -> ended.result().busBandwidth()).orElse(OptionalDouble.empty());
    }

    OptionalLong wrong() {
        return run.map(ended -> OptionalLong.of(ended.result().wrong())).orElse(OptionalLong.empty());
    }
}

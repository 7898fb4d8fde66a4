package org.mscclj.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.mscclj.api.check.GivenList;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Hints;
import org.mscclj.api.option.Timeouts;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.plan.PlanVerification;

/**
 * The options that communicators and local groups share.
 *
 * @param backend its name; empty for the best available one
 * @param timeout the default timeout
 * @param name for messages
 * @param verification the treatment of plans that are not proved; empty for the setting of the environment
 * @param hints hints for the communicators
 * @param strictHints whether unknown hints are refused; empty for the setting of the environment
 * @param compareCalls whether ranks compare calls before they launch them; empty for the process's own setting
 * @param recorderEntries the number of launches that a rank's recorder keeps; empty for the process's own setting
 * @param warmUp the classes of calls that are set up when a communicator opens
 * @param tuning the file of measured choices, with an empty path for none; empty for the setting of the environment
 */
record SharedOptions(
        Optional<String> backend,
        Duration timeout,
        String name,
        Optional<PlanVerification> verification,
        Hints hints,
        Optional<Boolean> strictHints,
        Optional<Boolean> compareCalls,
        OptionalInt recorderEntries,
        List<WarmUp> warmUp,
        Optional<Path> tuning) {
    SharedOptions {
        Objects.requireNonNull(timeout, "timeout");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(hints, "hints");
        warmUp = GivenList.copy(warmUp, "classes");
    }

    static SharedOptions of(String name) {
        return new SharedOptions(
                Optional.empty(),
                DefaultTimeout.of(System.getenv()),
                name,
                Optional.empty(),
                Hints.NONE,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                List.of(),
                Optional.empty());
    }

    SharedOptions withBackend(String chosen) {
        Objects.requireNonNull(chosen, "backend");
        return with(draft -> draft.backend = Optional.of(chosen));
    }

    SharedOptions withTimeout(Duration limit) {
        return with(draft -> draft.timeout = Timeouts.of(limit));
    }

    SharedOptions withName(String given) {
        return with(draft -> draft.name = given);
    }

    SharedOptions withVerification(PlanVerification chosen) {
        Objects.requireNonNull(chosen, "verification");
        return with(draft -> draft.verification = Optional.of(chosen));
    }

    SharedOptions withHints(Hints given) {
        return with(draft -> draft.hints = given);
    }

    SharedOptions withStrictHints(boolean strict) {
        return with(draft -> draft.strictHints = Optional.of(strict));
    }

    SharedOptions withCompareCalls(boolean compare) {
        return with(draft -> draft.compareCalls = Optional.of(compare));
    }

    SharedOptions withRecorderEntries(int entries) {
        if (entries < 0 || entries > CommunicatorOptions.MAX_RECORDER_ENTRIES) {
            throw InvalidArgumentException.of(
                    "recorder entries",
                    entries,
                    "0, which turns the recorder off, to " + CommunicatorOptions.MAX_RECORDER_ENTRIES);
        }
        return with(draft -> draft.recorderEntries = OptionalInt.of(entries));
    }

    SharedOptions withWarmUp(List<WarmUp> classes) {
        Objects.requireNonNull(classes, "classes");
        return with(draft -> draft.warmUp = classes);
    }

    SharedOptions withTuning(Path file) {
        Objects.requireNonNull(file, "file");
        return with(draft -> draft.tuning = Optional.of(file));
    }

    private SharedOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** Options that are changed. */
    private static final class Draft {
        private Optional<String> backend;
        private Duration timeout;
        private String name;
        private Optional<PlanVerification> verification;
        private Hints hints;
        private Optional<Boolean> strictHints;
        private Optional<Boolean> compareCalls;
        private OptionalInt recorderEntries;
        private List<WarmUp> warmUp;
        private Optional<Path> tuning;

        Draft(SharedOptions of) {
            backend = of.backend;
            timeout = of.timeout;
            name = of.name;
            verification = of.verification;
            hints = of.hints;
            strictHints = of.strictHints;
            compareCalls = of.compareCalls;
            recorderEntries = of.recorderEntries;
            warmUp = of.warmUp;
            tuning = of.tuning;
        }

        SharedOptions options() {
            return new SharedOptions(
                    backend,
                    timeout,
                    name,
                    verification,
                    hints,
                    strictHints,
                    compareCalls,
                    recorderEntries,
                    warmUp,
                    tuning);
        }
    }
}

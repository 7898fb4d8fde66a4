package org.mscclj.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
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
        return new SharedOptions(
                Optional.of(Objects.requireNonNull(chosen, "backend")),
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

    SharedOptions withTimeout(Duration limit) {
        return new SharedOptions(
                backend,
                Timeouts.of(limit),
                name,
                verification,
                hints,
                strictHints,
                compareCalls,
                recorderEntries,
                warmUp,
                tuning);
    }

    SharedOptions withName(String given) {
        return new SharedOptions(
                backend,
                timeout,
                given,
                verification,
                hints,
                strictHints,
                compareCalls,
                recorderEntries,
                warmUp,
                tuning);
    }

    SharedOptions withVerification(PlanVerification chosen) {
        return new SharedOptions(
                backend,
                timeout,
                name,
                Optional.of(Objects.requireNonNull(chosen, "verification")),
                hints,
                strictHints,
                compareCalls,
                recorderEntries,
                warmUp,
                tuning);
    }

    SharedOptions withHints(Hints given) {
        return new SharedOptions(
                backend,
                timeout,
                name,
                verification,
                given,
                strictHints,
                compareCalls,
                recorderEntries,
                warmUp,
                tuning);
    }

    SharedOptions withStrictHints(boolean strict) {
        return new SharedOptions(
                backend,
                timeout,
                name,
                verification,
                hints,
                Optional.of(strict),
                compareCalls,
                recorderEntries,
                warmUp,
                tuning);
    }

    SharedOptions withCompareCalls(boolean compare) {
        return new SharedOptions(
                backend,
                timeout,
                name,
                verification,
                hints,
                strictHints,
                Optional.of(compare),
                recorderEntries,
                warmUp,
                tuning);
    }

    SharedOptions withRecorderEntries(int entries) {
        if (entries < 0 || entries > CommunicatorOptions.MAX_RECORDER_ENTRIES) {
            throw InvalidArgumentException.of(
                    "recorder entries",
                    entries,
                    "0, which turns the recorder off, to " + CommunicatorOptions.MAX_RECORDER_ENTRIES);
        }
        return new SharedOptions(
                backend,
                timeout,
                name,
                verification,
                hints,
                strictHints,
                compareCalls,
                OptionalInt.of(entries),
                warmUp,
                tuning);
    }

    SharedOptions withWarmUp(List<WarmUp> classes) {
        return new SharedOptions(
                backend,
                timeout,
                name,
                verification,
                hints,
                strictHints,
                compareCalls,
                recorderEntries,
                Objects.requireNonNull(classes, "classes"),
                tuning);
    }

    SharedOptions withTuning(Path file) {
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
                Optional.of(Objects.requireNonNull(file, "file")));
    }
}

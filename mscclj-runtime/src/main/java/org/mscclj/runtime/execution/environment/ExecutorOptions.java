package org.mscclj.runtime.execution.environment;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Flag;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.tuning.TuningFile;
import org.mscclj.runtime.fault.WatchdogLimits;

/**
 * Options for the execution of plans, equal on all ranks.
 *
 * @param scratchLimit maximum size of a context's scratch on any rank, in bytes; larger messages take several rounds
 * @param firstFlag the packet flag of the first launch of a context, as an unsigned number; 1 except in tests of the
 *     wrap
 * @param verification how to treat plans that are not proved
 * @param checksCalls whether ranks compare their calls before every launch
 * @param watchdog when a launch is late, which may differ between ranks; empty for the configuration of this process
 * @param recorderEntries number of launches that the recorder keeps, which may differ between ranks; empty for the
 *     configuration of this process
 * @param tuning measured choices of shipped programs, instead of the device's; no entries for the device's
 */
public record ExecutorOptions(
        long scratchLimit,
        int firstFlag,
        PlanVerification verification,
        boolean checksCalls,
        Optional<WatchdogLimits> watchdog,
        OptionalInt recorderEntries,
        TuningFile tuning) {
    /** The environment variable that sets {@link #scratchLimit}. */
    public static final String SCRATCH_LIMIT_VARIABLE = "MSCCLJ_SCRATCH_LIMIT";

    /**
     * The environment variable that sets {@link #firstFlag}. With a value near 2³² − 1, every launch shows how the
     * flags of an engine wrap.
     */
    public static final String FIRST_FLAG_VARIABLE = "MSCCLJ_FIRST_FLAG";

    /** The environment variable that sets {@link #checksCalls}: 1 or 0. */
    public static final String CHECK_VARIABLE = "MSCCLJ_CHECK";

    /** The system property that sets {@link #checksCalls}; it takes precedence over the variable. */
    public static final String CHECK_PROPERTY = "mscclj.check";

    /** 64 MiB of scratch, flags from 1, no verification. */
    public static final ExecutorOptions DEFAULT = new ExecutorOptions(64L << 20, 1);

    /** Checks the values. */
    public ExecutorOptions {
        if (scratchLimit < 1) {
            throw InvalidArgumentException.of("scratch limit", scratchLimit + " bytes", "1 or more");
        }
        if (firstFlag == 0) {
            throw InvalidArgumentException.of("first flag", firstFlag, "anything but 0");
        }
    }

    /** Creates options with the watchdog limits and the recorder size configured for this process. */
    public ExecutorOptions(long scratchLimit, int firstFlag, PlanVerification verification, boolean checksCalls) {
        this(
                scratchLimit,
                firstFlag,
                verification,
                checksCalls,
                Optional.empty(),
                OptionalInt.empty(),
                TuningFile.NONE);
    }

    /** Creates options that do not compare calls. */
    public ExecutorOptions(long scratchLimit, int firstFlag, PlanVerification verification) {
        this(scratchLimit, firstFlag, verification, false);
    }

    /** Creates options without verification. */
    public ExecutorOptions(long scratchLimit, int firstFlag) {
        this(scratchLimit, firstFlag, PlanVerification.OFF);
    }

    /**
     * Returns the default, changed by the variables of an environment.
     *
     * @param verification the caller's choice; empty for the setting of the environment
     * @throws InvalidArgumentException if a variable has a bad value; the exception names the variable and the allowed
     *     values
     */
    public static ExecutorOptions of(Map<String, String> environment, Optional<PlanVerification> verification) {
        return of(environment, verification, Optional.empty());
    }

    /**
     * Returns the default, changed by the variables of an environment.
     *
     * @param verification the caller's choice; empty for the setting of the environment
     * @param tuning the caller's file of measured choices, with an empty path for none; empty for the setting of the
     *     environment
     * @throws InvalidArgumentException if a variable has a bad value, or the file cannot be used
     */
    public static ExecutorOptions of(
            Map<String, String> environment, Optional<PlanVerification> verification, Optional<Path> tuning) {
        return new ExecutorOptions(
                Optional.ofNullable(environment.get(SCRATCH_LIMIT_VARIABLE))
                        .filter(text -> !text.isBlank())
                        .map(ExecutorOptions::parse)
                        .orElse(DEFAULT.scratchLimit()),
                Optional.ofNullable(environment.get(FIRST_FLAG_VARIABLE))
                        .filter(text -> !text.isBlank())
                        .map(ExecutorOptions::parseFlag)
                        .orElse(DEFAULT.firstFlag()),
                verification.orElseGet(() -> Optional.ofNullable(environment.get(PlanVerification.VARIABLE))
                        .filter(text -> !text.isBlank())
                        .map(text -> PlanVerification.parse(PlanVerification.VARIABLE, text))
                        .orElse(DEFAULT.verification())),
                checksCalls(System.getProperty(CHECK_PROPERTY), environment),
                Optional.empty(),
                OptionalInt.empty(),
                tuning.map(file -> file.toString().isEmpty() ? TuningFile.NONE : TuningSetting.read(file))
                        .orElseGet(() -> TuningSetting.read(environment)));
    }

    private static boolean checksCalls(@Nullable String property, Map<String, String> environment) {
        return property == null
                ? Flag.of(environment, CHECK_VARIABLE, false)
                : Flag.parse(CHECK_PROPERTY, property, false);
    }

    /** Returns a copy that compares calls or does not, if the caller has chosen. */
    public ExecutorOptions withCheck(Optional<Boolean> chosen) {
        return new ExecutorOptions(
                scratchLimit, firstFlag, verification, chosen.orElse(checksCalls), watchdog, recorderEntries, tuning);
    }

    /** Returns a copy with these limits of the watchdog, whatever is configured for this process. */
    public ExecutorOptions withWatchdog(WatchdogLimits limits) {
        return new ExecutorOptions(
                scratchLimit, firstFlag, verification, checksCalls, Optional.of(limits), recorderEntries, tuning);
    }

    /** Returns a copy with a recorder of this size, if the caller has chosen. */
    public ExecutorOptions withRecorder(OptionalInt entries) {
        return new ExecutorOptions(scratchLimit, firstFlag, verification, checksCalls, watchdog, entries, tuning);
    }

    /**
     * Returns the choices of shipped programs within the limit for scratch, without measured ones.
     *
     * @param ofDevice the choices for the kind of device
     */
    public ProgramPreference preference(ProgramPreference ofDevice) {
        return ofDevice.withScratchLimit(Math.min(ofDevice.scratchLimit(), scratchLimit));
    }

    /** Returns a copy of these options for shipped programs, which are verified when mscclj is built. */
    public ExecutorOptions forShippedPrograms(long mostScratchBytes) {
        return new ExecutorOptions(
                mostScratchBytes, firstFlag, PlanVerification.OFF, checksCalls, watchdog, recorderEntries, tuning);
    }

    private static long parse(String text) {
        try {
            long bytes = Long.parseLong(text.strip());
            if (bytes >= 1) {
                return bytes;
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw InvalidArgumentException.of(SCRATCH_LIMIT_VARIABLE, '"' + text + '"', "a number of bytes, 1 or more");
    }

    private static int parseFlag(String text) {
        try {
            int flag = Integer.parseUnsignedInt(text.strip());
            if (flag != 0) {
                return flag;
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw InvalidArgumentException.of(FIRST_FLAG_VARIABLE, '"' + text + '"', "a whole number from 1 to 4294967295");
    }
}

package org.mscclj.runtime.execution;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Flag;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.runtime.fault.WatchdogLimits;

/**
 * How plans are executed, equal on all ranks.
 *
 * @param scratchLimit greatest size of a context's scratch on any rank, in bytes; larger messages take several rounds
 * @param firstFlag the packet flag of the first launch of a context, as an unsigned number; 1 except in tests of the
 *     wrap
 * @param verification what becomes of plans that are not proved
 * @param checksCalls whether ranks compare what they call before every launch
 * @param watchdog when a launch is late, which need not be equal; empty for what this process is told
 * @param recorderEntries how many launches the recorder keeps, which need not be equal; empty for what this process is
 *     told
 */
public record ExecutorOptions(
        long scratchLimit,
        int firstFlag,
        PlanVerification verification,
        boolean checksCalls,
        Optional<WatchdogLimits> watchdog,
        OptionalInt recorderEntries) {
    /** The environment variable that sets {@link #scratchLimit}. */
    public static final String SCRATCH_LIMIT_VARIABLE = "MSCCLJ_SCRATCH_LIMIT";

    /**
     * The environment variable that sets {@link #firstFlag}. Near 2³² − 1 whatever is launched shows how an engine's
     * flags wrap.
     */
    public static final String FIRST_FLAG_VARIABLE = "MSCCLJ_FIRST_FLAG";

    /** The environment variable that sets {@link #checksCalls}: 1 or 0. */
    public static final String CHECK_VARIABLE = "MSCCLJ_CHECK";

    /** The system property that sets {@link #checksCalls}; it comes before the variable. */
    public static final String CHECK_PROPERTY = "mscclj.check";

    /** 64 MiB of scratch, flags from 1, nothing verified. */
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

    /** With the watchdog's limits and the size of the recorder that this process is told. */
    public ExecutorOptions(long scratchLimit, int firstFlag, PlanVerification verification, boolean checksCalls) {
        this(scratchLimit, firstFlag, verification, checksCalls, Optional.empty(), OptionalInt.empty());
    }

    /** Without comparing calls. */
    public ExecutorOptions(long scratchLimit, int firstFlag, PlanVerification verification) {
        this(scratchLimit, firstFlag, verification, false);
    }

    /** Without verification. */
    public ExecutorOptions(long scratchLimit, int firstFlag) {
        this(scratchLimit, firstFlag, PlanVerification.OFF);
    }

    /**
     * The default, changed by what an environment sets.
     *
     * @param verification what the caller wants; empty for what the environment sets
     * @throws InvalidArgumentException if a variable has a bad value; names it and what is allowed
     */
    public static ExecutorOptions of(Map<String, String> environment, Optional<PlanVerification> verification) {
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
                checksCalls(System.getProperty(CHECK_PROPERTY), environment));
    }

    private static boolean checksCalls(@Nullable String property, Map<String, String> environment) {
        return property == null
                ? Flag.of(environment, CHECK_VARIABLE, false)
                : Flag.parse(CHECK_PROPERTY, property, false);
    }

    /** With or without comparison of calls, if the caller has chosen. */
    public ExecutorOptions withCheck(Optional<Boolean> chosen) {
        return new ExecutorOptions(
                scratchLimit, firstFlag, verification, chosen.orElse(checksCalls), watchdog, recorderEntries);
    }

    /** With limits of the watchdog, whatever this process is told. */
    public ExecutorOptions withWatchdog(WatchdogLimits limits) {
        return new ExecutorOptions(
                scratchLimit, firstFlag, verification, checksCalls, Optional.of(limits), recorderEntries);
    }

    /** With a recorder of this size, if the caller has chosen. */
    public ExecutorOptions withRecorder(OptionalInt entries) {
        return new ExecutorOptions(scratchLimit, firstFlag, verification, checksCalls, watchdog, entries);
    }

    private static long parse(String text) {
        try {
            long bytes = Long.parseLong(text.strip());
            if (bytes >= 1) {
                return bytes;
            }
        } catch (NumberFormatException _) {
            // told below
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
            // told below
        }
        throw InvalidArgumentException.of(FIRST_FLAG_VARIABLE, '"' + text + '"', "a whole number from 1 to 4294967295");
    }
}

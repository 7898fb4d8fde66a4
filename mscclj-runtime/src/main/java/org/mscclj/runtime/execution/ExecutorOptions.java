package org.mscclj.runtime.execution;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Limits of plan execution, equal on all ranks.
 *
 * @param scratchLimit greatest size of a context's scratch on any rank, in bytes; larger messages take several rounds
 * @param firstFlag the packet flag of the first launch of a context; 1 except in tests of the wrap
 */
public record ExecutorOptions(long scratchLimit, int firstFlag) {
    /** The environment variable that sets {@link #scratchLimit}. */
    public static final String SCRATCH_LIMIT_VARIABLE = "MSCCLJ_SCRATCH_LIMIT";

    /** 64 MiB of scratch, flags from 1. */
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

    /** The default, changed by what the environment sets. */
    public static ExecutorOptions fromEnvironment() {
        return Optional.ofNullable(System.getenv(SCRATCH_LIMIT_VARIABLE))
                .map(text -> new ExecutorOptions(parse(text), DEFAULT.firstFlag()))
                .orElse(DEFAULT);
    }

    private static long parse(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw InvalidArgumentException.of(SCRATCH_LIMIT_VARIABLE, '"' + text + '"', "a number of bytes");
        }
    }
}

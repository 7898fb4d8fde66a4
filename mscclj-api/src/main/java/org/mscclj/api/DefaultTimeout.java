package org.mscclj.api;

import java.time.Duration;
import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Timeouts;

/** The timeout of communicators whose options name none. */
final class DefaultTimeout {
    private static final Duration USUAL = Duration.ofMinutes(10);

    private static final double NANOS_A_SECOND = 1e9;

    /** The first variable that is set counts. */
    private static final String[] VARIABLES = {"MSCCLJ_TIMEOUT_SECONDS", "TORCHCOMM_TIMEOUT_SECONDS"};

    private DefaultTimeout() {}

    /**
     * The timeout that an environment sets; 600 seconds if it sets none.
     *
     * @throws InvalidArgumentException if a variable has a bad value; the message names it
     */
    static Duration of(Map<String, String> environment) {
        // A loop instead of a stream, so that the stack of the exception shows the user's call, not frames of a stream.
        for (String name : VARIABLES) {
            String text = environment.getOrDefault(name, "").strip();
            if (!text.isEmpty()) {
                return parse(name, text);
            }
        }
        return USUAL;
    }

    private static Duration parse(String name, String text) {
        try {
            double seconds = Double.parseDouble(text); // TorchComm has read decimals, too
            if (seconds == 0 || seconds > Timeouts.NONE.toSeconds()) {
                return Timeouts.NONE;
            }
            if (seconds > 0) {
                return Duration.ofNanos(Math.max(1, Math.round(seconds * NANOS_A_SECOND)));
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw InvalidArgumentException.of(name, '"' + text + '"', "a number of seconds; 0 for no timeout");
    }
}

package org.mscclj.runtime.fault;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Limits after which a launch is late.
 *
 * @param sinceEnqueue limit counted from when it was enqueued; empty for never
 * @param sinceStart limit counted from when it was first seen at work; empty for never
 */
public record WatchdogLimits(Optional<Duration> sinceEnqueue, Optional<Duration> sinceStart) {
    /** The environment variable that sets {@link #sinceEnqueue}, in seconds; 0 for never. */
    public static final String ENQUEUE_VARIABLE = "MSCCLJ_WATCHDOG_ENQUEUE_SECONDS";

    /** The environment variable that sets {@link #sinceStart}, in seconds; 0 for never. */
    public static final String START_VARIABLE = "MSCCLJ_WATCHDOG_START_SECONDS";

    /** The system property that sets {@link #sinceEnqueue}; it takes precedence over the variable. */
    public static final String ENQUEUE_PROPERTY = "mscclj.watchdog.enqueue.seconds";

    /** The system property that sets {@link #sinceStart}; it takes precedence over the variable. */
    public static final String START_PROPERTY = "mscclj.watchdog.start.seconds";

    private static final double MAX_SECONDS = 1e9;

    /**
     * Returns the limits configured for a process; without a configuration, the communicator's timeout.
     *
     * @throws InvalidArgumentException if a configured value is not a number
     */
    public static WatchdogLimits of(
            Function<String, @Nullable String> properties, Map<String, String> environment, Duration timeout) {
        return new WatchdogLimits(
                limit(ENQUEUE_PROPERTY, properties.apply(ENQUEUE_PROPERTY), ENQUEUE_VARIABLE, environment, timeout),
                limit(START_PROPERTY, properties.apply(START_PROPERTY), START_VARIABLE, environment, timeout));
    }

    private static Optional<Duration> limit(
            String property,
            @Nullable String value,
            String variable,
            Map<String, String> environment,
            Duration timeout) {
        if (value != null) {
            return parse(property, value);
        }
        String text = environment.get(variable);
        return text == null || text.isBlank() ? Optional.of(timeout) : parse(variable, text);
    }

    private static Optional<Duration> parse(String name, String text) {
        try {
            double seconds = Double.parseDouble(text.strip());
            if (seconds >= 0 && seconds <= MAX_SECONDS) {
                return seconds == 0 ? Optional.empty() : Optional.of(Duration.ofNanos((long) (seconds * 1e9)));
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw InvalidArgumentException.of(name, '"' + text + '"', "seconds, or 0 to watch nothing");
    }
}

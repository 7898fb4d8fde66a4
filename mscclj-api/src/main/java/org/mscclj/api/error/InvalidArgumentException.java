package org.mscclj.api.error;

import java.time.Duration;

/** A call was refused before anything happened; the communicator stays usable. */
public final class InvalidArgumentException extends MsccljException {
    private static final long serialVersionUID = 1L;

    /** An exception with a complete message: the given value, the allowed values, and the remedy. */
    public InvalidArgumentException(String message) {
        super(message);
    }

    /** Like {@link #InvalidArgumentException(String)}, with the exception that revealed it. */
    public InvalidArgumentException(String message, Throwable cause) {
        super(message, cause);
    }

    /** "{@code argument} is {@code given}; allowed: {@code allowed}". */
    public static InvalidArgumentException of(String argument, Object given, String allowed) {
        Object text = given instanceof Duration duration ? DurationText.of(duration) : given;
        return new InvalidArgumentException(argument + " is " + text + "; allowed: " + allowed);
    }
}

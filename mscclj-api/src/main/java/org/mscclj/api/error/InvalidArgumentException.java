package org.mscclj.api.error;

/** A call was refused before anything happened; the communicator stays usable. */
public final class InvalidArgumentException extends MsccljException {
    private static final long serialVersionUID = 1L;

    /** An exception with a complete message: what was given, what is allowed, what to do. */
    public InvalidArgumentException(String message) {
        super(message);
    }

    /** Like {@link #InvalidArgumentException(String)}, with the exception that revealed it. */
    public InvalidArgumentException(String message, Throwable cause) {
        super(message, cause);
    }

    /** "{@code argument} is {@code given}; allowed: {@code allowed}". */
    public static InvalidArgumentException of(String argument, Object given, String allowed) {
        return new InvalidArgumentException(argument + " is " + given + "; allowed: " + allowed);
    }
}

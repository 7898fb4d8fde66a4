package org.mscclj.api.error;

/** A backend, a driver or the operating system failed in a way that mscclj did not expect. */
public final class BackendException extends MsccljException {
    private static final long serialVersionUID = 1L;

    private final long code;
    private final String symbol;

    /** A failure inside a backend that has no native code. */
    public BackendException(String message, Throwable cause) {
        super(message, cause);
        this.code = 0;
        this.symbol = "";
    }

    /** A failed native call. */
    public BackendException(String message, long code, String symbol) {
        super(message + " (" + symbol + ", code " + code + ")");
        this.code = code;
        this.symbol = symbol;
    }

    /** The native error code; 0 if there is none. */
    public long code() {
        return code;
    }

    /** The native symbolic name, for example {@code CUDA_ERROR_INVALID_VALUE}; empty if there is none. */
    public String symbol() {
        return symbol;
    }
}

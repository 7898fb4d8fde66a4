package org.mscclj.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;

/**
 * One access to a {@link Window}. Immutable.
 *
 * @param kind the kind of access
 * @param rank the rank whose memory is accessed, or that is signalled, or whose signal is awaited
 * @param offset offset in that rank's memory, in bytes; 0 for signals
 * @param buffer this rank's memory: the source of a put, or the target of a get; empty for signals
 * @param options timeout and hints of this call
 */
public record WindowCall(Kind kind, int rank, long offset, Optional<DeviceBuffer> buffer, CallOptions options) {
    /** The kind of access. */
    public enum Kind {
        /** Writes to the memory of a rank. */
        PUT,
        /** Reads the memory of a rank. */
        GET,
        /** Signals a rank. */
        SIGNAL,
        /** Waits for a signal of a rank. */
        WAIT_SIGNAL
    }

    /** Checks what does not depend on the window. */
    public WindowCall {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(options, "options");
        if (offset < 0) {
            throw InvalidArgumentException.of("offset", offset + " bytes", "0 or more");
        }
        boolean moves = kind == Kind.PUT || kind == Kind.GET;
        if (moves != buffer.isPresent()) {
            throw new InvalidArgumentException(
                    moves
                            ? kind + " needs a buffer of this rank"
                            : kind + " takes no buffer; put data before the signal");
        }
    }

    /** A call with the communicator's timeout and without hints. */
    public WindowCall(Kind kind, int rank, long offset, Optional<DeviceBuffer> buffer) {
        this(kind, rank, offset, buffer, CallOptions.NONE);
    }

    /**
     * Writes to the memory of a rank.
     *
     * @param source the bytes to write; any memory of this rank's device
     * @param rank the rank that owns the memory; may be this rank
     * @param offset offset in its memory, in bytes
     */
    public static WindowCall put(DeviceBuffer source, int rank, long offset) {
        return new WindowCall(Kind.PUT, rank, offset, Optional.of(Objects.requireNonNull(source, "source")));
    }

    /**
     * Reads the memory of a rank.
     *
     * @param rank the rank that owns the memory; may be this rank
     * @param offset offset in its memory, in bytes
     * @param target the memory to copy into, whose size is the number of bytes to read; any memory of this rank's
     *     device
     */
    public static WindowCall get(int rank, long offset, DeviceBuffer target) {
        return new WindowCall(Kind.GET, rank, offset, Optional.of(Objects.requireNonNull(target, "target")));
    }

    /** Signals another rank that all earlier launches of this rank have ended. */
    public static WindowCall signal(int rank) {
        return new WindowCall(Kind.SIGNAL, rank, 0, Optional.empty());
    }

    /** Waits for a signal of another rank, and consumes it: each signal ends one wait. */
    public static WindowCall waitSignal(int rank) {
        return new WindowCall(Kind.WAIT_SIGNAL, rank, 0, Optional.empty());
    }

    /** Returns a copy with other options. */
    public WindowCall options(CallOptions changed) {
        return new WindowCall(kind, rank, offset, buffer, changed);
    }

    /**
     * Returns a copy with a timeout in place of the communicator's; see {@link CallOptions}.
     *
     * @throws InvalidArgumentException if it is negative; zero means none
     */
    public WindowCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * Returns a copy with one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public WindowCall hint(String key, String value) {
        return options(options.hint(key, value));
    }

    /** For messages, for example "put 64 bytes to rank 1 at offset 0". */
    @Override
    public String toString() {
        String bytes = buffer.map(memory -> memory.byteSize() + " bytes ").orElse("");
        return switch (kind) {
            case PUT -> "put " + bytes + "to rank " + rank + " at offset " + offset;
            case GET -> "get " + bytes + "from rank " + rank + " at offset " + offset;
            case SIGNAL -> "signal to rank " + rank;
            case WAIT_SIGNAL -> "wait for a signal from rank " + rank;
        };
    }
}

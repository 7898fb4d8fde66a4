package org.mscclj.runtime.execution.operation;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Stream;
import org.mscclj.api.option.CallOptions;
import org.mscclj.runtime.signature.BufferLocations;

/**
 * Settings with which an operation is prepared, whatever it computes.
 *
 * @param algorithm the result of {@link org.mscclj.api.PreparedOperation#algorithm}
 * @param stream the stream of launches that name none
 * @param hold the effect of closing a buffer
 * @param root the root of the collective; −1 if it has none, or the plan decides
 * @param places locations of the buffers; plain if the ranks do not agree on them
 * @param options timeout and hints of the call
 * @param nanCheck check before each launch of an operation that is launched several times; null for none
 * @param barrier whether descriptions name it a barrier, whatever its plan does
 * @param operation name of the operation in descriptions, equal on all ranks; empty for the collective of its plan
 */
public record Preparation(
        String algorithm,
        Stream stream,
        BufferHold hold,
        int root,
        BufferLocations places,
        CallOptions options,
        @Nullable NanCheck nanCheck,
        boolean barrier,
        String operation) {
    /**
     * Creates settings for an operation on any buffers, with the communicator's timeout, that has no root or whose plan
     * decides on it.
     */
    public Preparation(String algorithm, Stream stream, BufferHold hold) {
        this(algorithm, stream, hold, -1, BufferLocations.PLAIN, CallOptions.NONE, null, false, "");
    }

    /** Returns a copy with a root. */
    public Preparation withRoot(int changed) {
        return new Preparation(algorithm, stream, hold, changed, places, options, nanCheck, barrier, operation);
    }

    /** Returns a copy for buffers at these locations. */
    public Preparation withPlaces(BufferLocations changed) {
        return new Preparation(algorithm, stream, hold, root, changed, options, nanCheck, barrier, operation);
    }

    /** Returns a copy with other options. */
    public Preparation withOptions(CallOptions changed) {
        return new Preparation(algorithm, stream, hold, root, places, changed, nanCheck, barrier, operation);
    }

    /** Returns a copy with a check of the input before each launch, or without. */
    public Preparation withNanCheck(@Nullable NanCheck changed) {
        return new Preparation(algorithm, stream, hold, root, places, options, changed, barrier, operation);
    }

    /** Returns a copy that descriptions name a barrier, or do not. */
    public Preparation withBarrier(boolean changed) {
        return new Preparation(algorithm, stream, hold, root, places, options, nanCheck, changed, operation);
    }

    /** Returns a copy that descriptions name otherwise than by the collective of its plan. */
    public Preparation withOperation(String changed) {
        return new Preparation(algorithm, stream, hold, root, places, options, nanCheck, barrier, changed);
    }

    /**
     * Returns the time after which the watchdog declares a launch late, in nanoseconds; 0 if the call does not set one.
     */
    long mayTakeNanos() {
        return mayTakeNanos(options);
    }

    /**
     * Returns the time after which the watchdog declares a launch of a call late, in nanoseconds; 0 if the call does
     * not set one.
     */
    static long mayTakeNanos(CallOptions options) {
        Optional<Duration> timeout = options.timeout();
        return timeout.isPresent() ? TimeUnit.NANOSECONDS.convert(timeout.get()) : 0; // allocates nothing
    }
}

package org.mscclj.runtime.execution;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Stream;
import org.mscclj.api.option.CallOptions;
import org.mscclj.runtime.signature.Places;

/**
 * How an operation is prepared, whatever it computes.
 *
 * @param algorithm what {@link org.mscclj.api.PreparedOperation#algorithm} shall say
 * @param stream the stream of launches that name none
 * @param hold what closing a buffer means
 * @param root the root of the collective; −1 if it has none, or the plan decides
 * @param places where the buffers lie; plain if that is nothing that ranks have in common
 * @param options timeout and hints of the call
 * @param nanCheck what is done before each launch that is not the only one; null for nothing
 * @param barrier whether it is told as a barrier, whatever its plan does
 * @param operation what it is told as, equal on all ranks; empty for the collective of its plan
 */
public record Preparation(
        String algorithm,
        Stream stream,
        BufferHold hold,
        int root,
        Places places,
        CallOptions options,
        @Nullable NanCheck nanCheck,
        boolean barrier,
        String operation) {
    /**
     * An operation without a root, or whose plan decides on it, on any buffers, and with the communicator's timeout.
     */
    public Preparation(String algorithm, Stream stream, BufferHold hold) {
        this(algorithm, stream, hold, -1, Places.PLAIN, CallOptions.NONE, null, false, "");
    }

    /** The same for a root. */
    public Preparation withRoot(int changed) {
        return new Preparation(algorithm, stream, hold, changed, places, options, nanCheck, barrier, operation);
    }

    /** The same for buffers at such places. */
    public Preparation withPlaces(Places changed) {
        return new Preparation(algorithm, stream, hold, root, changed, options, nanCheck, barrier, operation);
    }

    /** The same with other options. */
    public Preparation withOptions(CallOptions changed) {
        return new Preparation(algorithm, stream, hold, root, places, changed, nanCheck, barrier, operation);
    }

    /** The same with a look at the input before each launch, or without. */
    public Preparation withNanCheck(@Nullable NanCheck changed) {
        return new Preparation(algorithm, stream, hold, root, places, options, changed, barrier, operation);
    }

    /** The same, told as a barrier or not. */
    public Preparation withBarrier(boolean changed) {
        return new Preparation(algorithm, stream, hold, root, places, options, nanCheck, changed, operation);
    }

    /** The same, told as another operation than the collective of its plan. */
    public Preparation withOperation(String changed) {
        return new Preparation(algorithm, stream, hold, root, places, options, nanCheck, barrier, changed);
    }

    /** How long a launch may take before somebody complains, in nanoseconds; 0 if the call does not say. */
    long mayTakeNanos() {
        return mayTakeNanos(options);
    }

    /** How long a launch of a call may take before somebody complains, in nanoseconds; 0 if the call does not say. */
    static long mayTakeNanos(CallOptions options) {
        Optional<Duration> timeout = options.timeout();
        return timeout.isPresent() ? TimeUnit.NANOSECONDS.convert(timeout.get()) : 0; // allocates nothing
    }
}

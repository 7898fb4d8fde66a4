package org.mscclj.api;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.mscclj.api.check.GivenList;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A variable-size reduce-scatter, whose parts are separate buffers or have different sizes: output {@code r} becomes
 * the reduction over all ranks' inputs {@code r}. {@link VariableCalls#reduceScatter} creates and checks it. Immutable.
 *
 * <p>The sizes of the inputs are equal on all ranks; they may differ from each other, and be 0. It runs as one
 * {@code reduce} after the other, one for each part that is not empty: every byte moves once from each rank to the rank
 * that owns the part, but each small part costs a launch. {@link CollectiveCall#reduceScatter} of equal contiguous
 * parts takes one launch. Where one part is larger than all others, the ranks that do not own it allocate memory of its
 * size.
 *
 * @param inputs one buffer for each rank
 * @param output this rank's output, as large as the input for this rank; overlaps none of the inputs
 * @param type element type, equal on all ranks
 * @param op how contributions are combined, equal on all ranks
 * @param options timeout and hints of this call
 */
public record ReduceScatterCall(
        List<DeviceBuffer> inputs, DeviceBuffer output, DataType type, ReduceOp op, CallOptions options) {
    /** Copies the list. */
    public ReduceScatterCall {
        inputs = GivenList.copy(inputs, "inputs");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        Objects.requireNonNull(options, "options");
    }

    /** A call with the communicator's timeout and without hints. */
    public ReduceScatterCall(List<DeviceBuffer> inputs, DeviceBuffer output, DataType type, ReduceOp op) {
        this(inputs, output, type, op, CallOptions.NONE);
    }

    /** Returns a copy with other options. */
    public ReduceScatterCall options(CallOptions changed) {
        return new ReduceScatterCall(inputs, output, type, op, changed);
    }

    /**
     * Returns a copy with a timeout in place of the communicator's; see {@link CallOptions}.
     *
     * @throws InvalidArgumentException if it is negative; zero means none
     */
    public ReduceScatterCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * Returns a copy with one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public ReduceScatterCall hint(String key, String value) {
        return options(options.hint(key, value));
    }
}

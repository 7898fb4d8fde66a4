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
 * A reduction whose parts are buffers of their own, or have sizes of their own: output {@code r} becomes the reduction
 * over all ranks' inputs {@code r}. {@link VariableCalls#reduceScatter} makes and checks it. Immutable.
 *
 * <p>The sizes of the inputs are equal on all ranks; they may differ from each other, and be 0. It is carried out as
 * one {@code reduce} after the other, one for each part that is not empty: every byte goes once from each rank to the
 * one that it belongs to, but small parts cost a launch each. {@link CollectiveCall#reduceScatter} of equal parts that
 * follow one another takes one. Where one part is larger than all others, the ranks that it does not belong to allocate
 * as much memory as it has.
 *
 * @param inputs one for each rank
 * @param output this rank's, as large as the input for this rank; overlaps none of the inputs
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

    /** With other options. */
    public ReduceScatterCall options(CallOptions changed) {
        return new ReduceScatterCall(inputs, output, type, op, changed);
    }

    /**
     * With another timeout than the communicator's, as {@link CallOptions} says.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public ReduceScatterCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * With one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public ReduceScatterCall hint(String key, String value) {
        return options(options.hint(key, value));
    }
}

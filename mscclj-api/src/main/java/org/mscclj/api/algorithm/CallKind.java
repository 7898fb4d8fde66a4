package org.mscclj.api.algorithm;

import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * What calls have in common that one set-up serves, whatever their sizes. Equal on all ranks, except for the
 * allocations, which are each rank's own part of what the ranks have allocated together.
 *
 * @param collective the collective
 * @param type element type
 * @param op the operation without its factor; {@link ReduceOp#NOP} for a collective without a reduction
 * @param root the root; 0 if the collective has none
 * @param inPlace whether input and output share memory as in the collective's in-place form
 * @param input the registered memory in which the inputs of the calls lie, at any offset that is equal on all ranks;
 *     empty if the inputs may lie anywhere, so that peers cannot access them
 * @param output likewise for the outputs
 */
public record CallKind(
        Collective collective,
        DataType type,
        ReduceOp op,
        int root,
        boolean inPlace,
        Optional<DeviceBuffer> input,
        Optional<DeviceBuffer> output) {
    /** Checks that nothing is null. */
    public CallKind {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
    }

    /** Returns whether peers can access input and output. */
    public boolean isRegistered() {
        return input.isPresent() && output.isPresent();
    }
}

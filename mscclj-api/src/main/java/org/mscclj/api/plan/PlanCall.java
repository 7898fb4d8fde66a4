package org.mscclj.api.plan;

import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;

/**
 * A call of a plan: the plan, its buffers, and its options. Immutable; start from {@link #of} and refine.
 *
 * @param plan the plan
 * @param input this rank's input
 * @param output this rank's output; for an in-place plan it overlaps the input as {@link ExecutionPlan#inPlace} defines
 * @param type element type
 * @param op how contributions are combined; {@link ReduceOp#NOP} for collectives that only move data
 * @param packetType the format of packets, where the plan exchanges any
 * @param options timeout and hints of this call
 */
public record PlanCall(
        ExecutionPlan plan,
        DeviceBuffer input,
        DeviceBuffer output,
        DataType type,
        ReduceOp op,
        PacketType packetType,
        CallOptions options) {
    /** Checks that nothing is null. */
    public PlanCall {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        Objects.requireNonNull(packetType, "packetType");
        Objects.requireNonNull(options, "options");
    }

    /** A call with the communicator's timeout and without hints. */
    public PlanCall(
            ExecutionPlan plan,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type,
            ReduceOp op,
            PacketType packetType) {
        this(plan, input, output, type, op, packetType, CallOptions.NONE);
    }

    /** A call with the usual operation, sum where the collective reduces, and LL16 packets. */
    public static PlanCall of(ExecutionPlan plan, DeviceBuffer input, DeviceBuffer output, DataType type) {
        Objects.requireNonNull(plan, "plan");
        return new PlanCall(
                plan, input, output, type, plan.collective().reduces() ? ReduceOp.SUM : ReduceOp.NOP, PacketType.LL16);
    }

    /** Returns a copy with another reduce operation. */
    public PlanCall op(ReduceOp op) {
        return new PlanCall(plan, input, output, type, op, packetType, options);
    }

    /** Returns a copy with another packet format. */
    public PlanCall packetType(PacketType packetType) {
        return new PlanCall(plan, input, output, type, op, packetType, options);
    }

    /** Returns a copy with other options. */
    public PlanCall options(CallOptions changed) {
        return new PlanCall(plan, input, output, type, op, packetType, changed);
    }

    /**
     * Returns a copy with a timeout in place of the communicator's; see {@link CallOptions}.
     *
     * @throws InvalidArgumentException if it is negative; zero means none
     */
    public PlanCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * Returns a copy with one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public PlanCall hint(String key, String value) {
        return options(options.hint(key, value));
    }
}

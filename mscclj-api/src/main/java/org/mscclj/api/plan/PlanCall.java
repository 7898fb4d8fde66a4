package org.mscclj.api.plan;

import java.util.Objects;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;

/**
 * A plan and what it shall run on. Immutable; start from {@link #of} and refine.
 *
 * @param plan the plan
 * @param input this rank's input
 * @param output this rank's output; for an in-place plan it overlaps the input as {@link ExecutionPlan#inPlace} says
 * @param type element type
 * @param op how contributions are combined; {@link ReduceOp#NOP} for collectives that only move data
 * @param packetType the format of packets, where the plan exchanges any
 */
public record PlanCall(
        ExecutionPlan plan,
        DeviceBuffer input,
        DeviceBuffer output,
        DataType type,
        ReduceOp op,
        PacketType packetType) {
    /** Checks that nothing is null. */
    public PlanCall {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        Objects.requireNonNull(packetType, "packetType");
    }

    /** A call with the usual operation, sum where the collective reduces, and LL16 packets. */
    public static PlanCall of(ExecutionPlan plan, DeviceBuffer input, DeviceBuffer output, DataType type) {
        return new PlanCall(
                plan, input, output, type, plan.collective().reduces() ? ReduceOp.SUM : ReduceOp.NOP, PacketType.LL16);
    }

    /** With another reduce operation. */
    public PlanCall op(ReduceOp op) {
        return new PlanCall(plan, input, output, type, op, packetType);
    }

    /** With another packet format. */
    public PlanCall packetType(PacketType packetType) {
        return new PlanCall(plan, input, output, type, op, packetType);
    }
}

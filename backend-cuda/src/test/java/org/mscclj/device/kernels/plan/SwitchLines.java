package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** The lines of the table of reductions by a switch, for tests of their instructions. */
public final class SwitchLines {
    private SwitchLines() {}

    /**
     * A line of the table.
     *
     * @param name of a type and an operation
     * @param elementAndOperator of the device library
     * @param reduction the definition of the type {@code Reduction}, followed by the name
     * @param update the definition of the type {@code Update}, followed by the name
     */
    public record Line(String name, String elementAndOperator, String reduction, Optional<String> update) {}

    /** All lines, also of instructions that plans do not use. */
    public static List<Line> all() {
        List<Line> lines = new ArrayList<>();
        for (ReduceOp.Kind op : List.of(
                ReduceOp.Kind.SUM,
                ReduceOp.Kind.MIN,
                ReduceOp.Kind.MAX,
                ReduceOp.Kind.BAND,
                ReduceOp.Kind.BOR,
                ReduceOp.Kind.BXOR)) {
            for (DataType type : DataType.values()) {
                SwitchInstruction.instruction(type, op)
                        .ifPresent(instruction -> lines.add(line(type, op, instruction)));
            }
        }
        return lines;
    }

    private static Line line(DataType type, ReduceOp.Kind op, SwitchInstruction instruction) {
        String name = type + "_" + op;
        String what = PlanKernel.elementAndOperator(type, op);
        return new Line(
                name,
                what,
                instruction.definition("Reduction" + name, what),
                instruction.update("Update" + name, what));
    }
}

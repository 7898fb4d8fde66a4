package org.mscclj.runtime.selection;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/** The reduce operation that a plan fixes, if it does. */
public final class FixedOperation {
    private FixedOperation() {}

    /** Why a plan cannot compute with an operation; empty if it can. Averages and premultiplied sums are computed as sums. */
    public static Optional<String> refusal(ExecutionPlan plan, ReduceOp op) {
        ReduceOp.Kind computed = switch (op.kind()) {
            case AVG, PREMUL_SUM -> ReduceOp.Kind.SUM;
            default -> op.kind();
        };
        if (!(plan instanceof Plan model) || op.kind() == ReduceOp.Kind.NOP) {
            return Optional.empty();
        }
        return model.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> fixed(block.operations()))
                .filter(kind -> kind != computed)
                .findFirst()
                .map(kind -> "it fixes the reduce operation " + kind.label());
    }

    private static Stream<ReduceOp.Kind> fixed(List<Operation> operations) {
        return operations.stream().flatMap(operation -> switch (operation) {
            case Operation.Data data -> data.reduceOp().stream();
            case Operation.Pipeline pipeline -> fixed(pipeline.operations());
            default -> Stream.empty();
        });
    }
}

package org.mscclj.cli.run;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/** The reduce operation of a call: the one asked for, else the one that the plan fixes, else sum. */
final class FixedReduceOp {
    private FixedReduceOp() {}

    static ReduceOp defaultFor(Plan plan) {
        if (!plan.collective().reduces()) {
            // A plan of collective test may reduce nevertheless, and nobody looks at the result.
            return plan.collective() == Collective.TEST ? ReduceOp.SUM : ReduceOp.NOP;
        }
        return fixed(plan).map(kind -> new ReduceOp(kind, 1)).orElse(ReduceOp.SUM);
    }

    /** Why a plan cannot compute with an operation; averages and premultiplied sums are computed as sums. */
    static Optional<String> refusal(Plan plan, ReduceOp op) {
        ReduceOp.Kind computed = switch (op.kind()) {
            case AVG, PREMUL_SUM -> ReduceOp.Kind.SUM;
            default -> op.kind();
        };
        return plan.collective().reduces()
                ? fixed(plan)
                        .filter(kind -> kind != computed)
                        .map(kind -> "plan " + plan.name() + " fixes " + kind.label() + "; leave --op out")
                : Optional.empty();
    }

    /** The operation that the plan fixes, if it does. */
    private static Optional<ReduceOp.Kind> fixed(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> fixed(block.operations()))
                .findFirst();
    }

    private static Stream<ReduceOp.Kind> fixed(List<Operation> operations) {
        return operations.stream().flatMap(operation -> switch (operation) {
            case Operation.Data data -> data.reduceOp().stream();
            case Operation.Pipeline pipeline -> fixed(pipeline.operations());
            default -> Stream.empty();
        });
    }
}

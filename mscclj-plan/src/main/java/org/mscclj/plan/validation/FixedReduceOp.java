package org.mscclj.plan.validation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/**
 * The reduce operation that a plan fixes. A plan that fixes one is refused for another, never run with it; operations that fix none
 * take the caller's.
 */
public final class FixedReduceOp {
    /** The operations that plan files have a word for. */
    public static final Set<ReduceOp.Kind> FIXABLE =
            Collections.unmodifiableSet(EnumSet.of(ReduceOp.Kind.SUM, ReduceOp.Kind.MIN, ReduceOp.Kind.MAX));

    private FixedReduceOp() {}

    /** The operation that a plan fixes; empty if it leaves the choice to the caller. */
    public static Optional<ReduceOp.Kind> of(Plan plan) {
        return kinds(plan).findFirst();
    }

    /**
     * An operation that a plan fixes and that combines contributions in another way than the caller's; empty if there is none, or the
     * caller asks for nothing.
     */
    public static Optional<ReduceOp.Kind> conflicting(Plan plan, ReduceOp op) {
        return op.kind() == ReduceOp.Kind.NOP
                ? Optional.empty()
                : kinds(plan).filter(kind -> kind != op.kind().combiner()).findFirst();
    }

    private static Stream<ReduceOp.Kind> kinds(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> kinds(block.operations()));
    }

    private static Stream<ReduceOp.Kind> kinds(List<Operation> operations) {
        return operations.stream().flatMap(operation -> switch (operation) {
            case Operation.Data data -> data.reduceOp().stream();
            case Operation.Pipeline pipeline -> kinds(pipeline.operations());
            default -> Stream.empty();
        });
    }
}

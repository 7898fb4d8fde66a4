package org.mscclj.plan.validation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * The reduce operation that a plan fixes. A plan that fixes one is refused for calls with another; operations that fix
 * none use the caller's.
 */
public final class FixedReduceOp {
    /** The operations that plan files can name. */
    public static final Set<ReduceOp.Kind> FIXABLE =
            Collections.unmodifiableSet(EnumSet.of(ReduceOp.Kind.SUM, ReduceOp.Kind.MIN, ReduceOp.Kind.MAX));

    private FixedReduceOp() {}

    /** The operation that a plan fixes; empty if the caller chooses. */
    public static Optional<ReduceOp.Kind> of(Plan plan) {
        return first(plan, _ -> true);
    }

    /**
     * An operation that a plan fixes and that differs from the caller's; empty if there is none, or the call has no
     * reduce operation.
     */
    public static Optional<ReduceOp.Kind> conflicting(Plan plan, ReduceOp op) {
        return op.kind() == ReduceOp.Kind.NOP
                ? Optional.empty()
                : first(plan, kind -> kind != op.kind().combiner());
    }

    /**
     * The reason why no call can run a plan: two of its operations fix different reduce operations, and a call has one.
     * Empty if all are equal, or if the collective does not reduce: calls of such a collective have no reduce
     * operation.
     */
    public static Optional<String> contradiction(Plan plan) {
        if (!plan.collective().reduces() && plan.collective() != Collective.TEST) {
            return Optional.empty();
        }
        List<Fixed> all = fixed(plan).toList();
        return all.stream()
                .filter(other -> other.kind != all.getFirst().kind)
                .findFirst()
                .map(other -> all.getFirst() + " and " + other + ", and a call has one reduce operation");
    }

    /** An operation of a plan that fixes a reduce operation. */
    private record Fixed(OperationAddress address, ReduceOp.Kind kind) {
        @Override
        public String toString() {
            return address + " fixes " + kind.label();
        }
    }

    /** Loops instead of streams: each rank scans the operations of all ranks, which can be tens of thousands. */
    private static Optional<ReduceOp.Kind> first(Plan plan, Predicate<ReduceOp.Kind> wanted) {
        for (RankPlan rank : plan.ranks()) {
            for (ThreadBlock block : rank.threadBlocks()) {
                Optional<ReduceOp.Kind> found = first(block.operations(), wanted);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<ReduceOp.Kind> first(List<Operation> operations, Predicate<ReduceOp.Kind> wanted) {
        for (Operation operation : operations) {
            Optional<ReduceOp.Kind> found = switch (operation) {
                case Operation.Data data -> data.reduceOp().filter(wanted);
                case Operation.Pipeline pipeline -> first(pipeline.operations(), wanted);
                default -> Optional.empty();
            };
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Stream<Fixed> fixed(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream()
                        .flatMap(block -> IntStream.range(0, block.operations().size())
                                .boxed()
                                .flatMap(position -> fixed(rank.rank(), block, position))));
    }

    private static Stream<Fixed> fixed(int rank, ThreadBlock block, int position) {
        Operation operation = block.operations().get(position);
        if (!(operation instanceof Operation.Pipeline pipeline)) {
            return fixed(operation, OperationAddress.of(rank, block.id(), position));
        }
        return IntStream.range(0, pipeline.operations().size())
                .boxed()
                .flatMap(inner -> fixed(
                        pipeline.operations().get(inner),
                        OperationAddress.inPipeline(rank, block.id(), position, inner)));
    }

    private static Stream<Fixed> fixed(Operation operation, OperationAddress address) {
        return operation instanceof Operation.Data data
                ? data.reduceOp().map(kind -> new Fixed(address, kind)).stream()
                : Stream.empty();
    }
}

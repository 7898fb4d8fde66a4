package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;

/**
 * What an engine in one thread cannot show, written as plans that it can: the threads of a block go in no order between
 * two meetings, so an operation may take effect after the signals that follow it, or before the waits that precede it,
 * and its parts in any order. If a plan goes wrong in such an order, the race that the verifier found is one.
 */
final class Reorderings {
    private static final Pattern ADDRESS =
            Pattern.compile("rank (\\d+), block (\\d+), op (\\d+)(?:, inner op (\\d+))? \\(");

    private Reorderings() {}

    /**
     * A plan that differs in the order of a block's operations.
     *
     * @param rank the block's rank
     * @param block the block
     * @param plan the plan
     */
    record Reordering(int rank, int block, Plan plan) {}

    /** Reorderings of the operations that findings name. */
    static List<Reordering> of(Plan plan, List<Finding> findings) {
        Set<OperationAddress> named = new LinkedHashSet<>();
        for (Finding finding : findings) {
            Matcher matcher = ADDRESS.matcher(finding.message());
            while (matcher.find()) {
                int rank = Integer.parseInt(matcher.group(1));
                int block = Integer.parseInt(matcher.group(2));
                int position = Integer.parseInt(matcher.group(3));
                named.add(
                        matcher.group(4) == null
                                ? OperationAddress.of(rank, block, position)
                                : OperationAddress.inPipeline(
                                        rank, block, position, Integer.parseInt(matcher.group(4))));
            }
        }
        List<Reordering> plans = new ArrayList<>();
        for (OperationAddress address : named) {
            List<Operation> operations = plan.ranks()
                    .get(address.rank())
                    .threadBlocks()
                    .get(address.block())
                    .operations();
            int position = address.position();
            if (address.inner().isPresent()) {
                Operation.Pipeline pipeline = (Operation.Pipeline) operations.get(position);
                for (List<Operation> other :
                        of(pipeline.operations(), address.inner().getAsInt())) {
                    Operation changed = new Operation.Pipeline(pipeline.unitSize(), pipeline.chunks(), other);
                    plans.add(with(plan, address, PlanEdits.replaced(operations, position, changed)));
                }
            } else {
                of(operations, position).forEach(other -> plans.add(with(plan, address, other)));
            }
        }
        return plans;
    }

    private static Reordering with(Plan plan, OperationAddress address, List<Operation> operations) {
        return new Reordering(
                address.rank(),
                address.block(),
                PlanEdits.withOperations(plan, address.rank(), address.block(), operations));
    }

    private static List<List<Operation>> of(List<Operation> operations, int position) {
        List<List<Operation>> all = new ArrayList<>();
        if (!(operations.get(position) instanceof Operation.Data data)) {
            return all;
        }
        if (!data.kind().awaitsPackets()) {
            int late = position;
            while (late + 1 < operations.size() && isPassedLate(operations.get(late + 1))) {
                late++;
                all.add(moved(operations, position, late));
            }
        }
        int early = position;
        while (early > 0 && isPassedEarly(operations.get(early - 1))) {
            early--;
            all.add(moved(operations, position, early));
        }
        if (!data.byPort()) {
            all.addAll(inParts(operations, position, data));
        }
        return all;
    }

    /**
     * What an operation that waits for nothing may come after. A relaxed signal orders no writes, even if the threads
     * meet before.
     */
    private static boolean isPassedLate(Operation next) {
        return switch (next) {
            case Operation.Signal _, Operation.SemaphoreRelease _ -> true;
            case Operation.Data data -> !data.kind().awaitsPackets();
            default -> false;
        };
    }

    private static boolean isPassedEarly(Operation before) {
        return switch (before) {
            case Operation.Wait _, Operation.SemaphoreAcquire _, Operation.Flush _ -> true;
            case Operation.Data data -> !data.kind().awaitsPackets();
            default -> false;
        };
    }

    private static List<Operation> moved(List<Operation> operations, int from, int to) {
        List<Operation> all = new ArrayList<>(operations);
        all.add(to, all.remove(from));
        return all;
    }

    /** Its operands in another order, and its chunks in another order. */
    private static List<List<Operation>> inParts(List<Operation> operations, int position, Operation.Data data) {
        List<List<Operation>> all = new ArrayList<>();
        boolean pairs = data.sources().size() == data.destinations().size()
                && !data.kind().reduces();
        if (pairs && data.sources().size() > 1) {
            all.add(PlanEdits.replaced(
                    operations,
                    position,
                    PlanEdits.withOperands(
                            data, data.sources().reversed(), data.destinations().reversed())));
        }
        int size = data.destinations().getFirst().size();
        boolean even = data.sources().stream().allMatch(one -> one.size() == size)
                && data.destinations().stream().allMatch(one -> one.size() == size);
        if (even && size > 1) {
            List<Operation> backwards = new ArrayList<>(operations.subList(0, position));
            for (int chunk = size - 1; chunk >= 0; chunk--) {
                backwards.add(
                        PlanEdits.withOperands(data, parts(data.sources(), chunk), parts(data.destinations(), chunk)));
            }
            backwards.addAll(operations.subList(position + 1, operations.size()));
            all.add(backwards);
        }
        return all;
    }

    private static List<ChunkRef> parts(List<ChunkRef> references, int chunk) {
        return references.stream()
                .map(one -> PlanEdits.at(one, one.index() + chunk, 1))
                .toList();
    }
}

package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Plans with another shape: pipelines with other units, chunks or contents, semaphores with more or less to spare,
 * operations with operands that overlap, are one fewer or in another order, operations put together, fixed reduce
 * operations, other numbers of chunks, and several instances.
 */
final class ShapeMutants {
    private final Plan plan;
    private final List<Mutants.Mutant> mutants = new ArrayList<>();

    private ShapeMutants(Plan plan) {
        this.plan = plan;
    }

    static List<Mutants.Mutant> of(Plan plan) {
        ShapeMutants shapes = new ShapeMutants(plan);
        shapes.chunkCounts();
        shapes.semaphores();
        shapes.reduceOps();
        for (int count = 2; count <= 3; count++) {
            shapes.add(count + " instances", MscclppInstances.of(plan, count));
        }
        for (RankPlan rank : plan.ranks()) {
            for (ThreadBlock block : rank.threadBlocks()) {
                shapes.block(rank.rank(), block);
            }
        }
        return shapes.mutants;
    }

    private void add(String what, Plan mutant) {
        mutants.add(new Mutants.Mutant(what, mutant));
    }

    private void chunkCounts() {
        for (int more : new int[] {-1, 1}) {
            add("scratch " + more, PlanEdits.eachRank(plan, rank -> counts(rank, 0, more)));
            add("chunks " + more, PlanEdits.eachRank(plan, rank -> counts(rank, more, 0)));
            add(
                    "scratch of rank 0 " + more,
                    PlanEdits.withRank(plan, counts(plan.ranks().getFirst(), 0, more)));
        }
        add(
                "other halves",
                new Plan(
                        plan.name(),
                        plan.collective(),
                        plan.protocol(),
                        plan.inPlace(),
                        plan.reuseResources(),
                        plan.threadsPerBlock(),
                        !plan.doubleScratch(),
                        plan.bufferAlignment(),
                        plan.minMessageSize(),
                        plan.maxMessageSize(),
                        plan.ranks()));
    }

    private RankPlan counts(RankPlan rank, int slices, int scratch) {
        int world = plan.worldSize();
        return PlanEdits.withCounts(
                rank,
                Math.max(1, rank.inputChunks() + slices * plan.collective().inputSlices(world)),
                Math.max(1, rank.outputChunks() + slices * plan.collective().outputSlices(world)),
                Math.max(0, rank.scratchChunks() + scratch),
                rank.semaphoreInitialValues());
    }

    private void semaphores() {
        for (RankPlan rank : plan.ranks()) {
            for (int id = 0; id < rank.semaphoreInitialValues().size(); id++) {
                for (int more : new int[] {-1, 1, 3}) {
                    int value = rank.semaphoreInitialValues().get(id) + more;
                    if (value >= 0) {
                        List<Integer> values = PlanEdits.replaced(rank.semaphoreInitialValues(), id, value);
                        add(
                                "semaphore " + id + " of rank " + rank.rank() + " starts at " + value,
                                PlanEdits.withRank(
                                        plan,
                                        PlanEdits.withCounts(
                                                rank,
                                                rank.inputChunks(),
                                                rank.outputChunks(),
                                                rank.scratchChunks(),
                                                values)));
                    }
                }
            }
        }
    }

    private void reduceOps() {
        add("all fix max", PlanEdits.eachOperation(plan, one -> PlanEdits.fixed(one, ReduceOp.Kind.MAX)));
    }

    private void block(int rank, ThreadBlock block) {
        List<Operation> operations = block.operations();
        for (int position = 0; position < operations.size(); position++) {
            int at = position;
            Operation operation = operations.get(at);
            String where = "rank " + rank + ", block " + block.id() + ", op " + at + ": ";
            for (Operation other : others(operation)) {
                add(
                        where + "becomes " + other,
                        PlanEdits.withOperations(plan, rank, block.id(), PlanEdits.replaced(operations, at, other)));
            }
            for (Operation.Data data : datas(operation)) {
                Plan max = with(rank, block, at, operation, data, PlanEdits.fixed(data, ReduceOp.Kind.MAX));
                if (data.kind().reduces()) {
                    add(where + "fixes max", max);
                    add(
                            where + "fixes max, others sum",
                            PlanEdits.eachOperation(
                                    max, one -> isMax(one) ? one : PlanEdits.fixed(one, ReduceOp.Kind.SUM)));
                }
                for (Operation.Data other : otherOperands(data)) {
                    add(where + "operands " + other, with(rank, block, at, operation, data, other));
                }
            }
            for (int length = 1; length <= 3 && at + length <= operations.size(); length++) {
                List<Operation> some = operations.subList(at, at + length);
                if (some.stream().noneMatch(Operation.Pipeline.class::isInstance)) {
                    List<Operation> all = new ArrayList<>(operations.subList(0, at));
                    all.add(new Operation.Pipeline(Operation.Pipeline.UNIT, 1, some));
                    all.addAll(operations.subList(at + length, operations.size()));
                    add(where + length + " in a pipeline", PlanEdits.withOperations(plan, rank, block.id(), all));
                }
            }
            together(operations, at)
                    .ifPresent(all ->
                            add(where + "one with the next", PlanEdits.withOperations(plan, rank, block.id(), all)));
        }
    }

    private static boolean isMax(Operation operation) {
        return operation instanceof Operation.Data data && data.reduceOp().equals(Optional.of(ReduceOp.Kind.MAX));
    }

    private static List<Operation.Data> datas(Operation operation) {
        return switch (operation) {
            case Operation.Data data -> List.of(data);
            case Operation.Pipeline pipeline ->
                pipeline.operations().stream()
                        .filter(Operation.Data.class::isInstance)
                        .map(Operation.Data.class::cast)
                        .toList();
            default -> List.of();
        };
    }

    private Plan with(int rank, ThreadBlock block, int at, Operation outer, Operation.Data data, Operation changed) {
        Operation other = outer instanceof Operation.Pipeline pipeline
                ? new Operation.Pipeline(
                        pipeline.unitSize(),
                        pipeline.chunks(),
                        pipeline.operations().stream()
                                .map(inner -> inner.equals(data) ? changed : inner)
                                .toList())
                : changed;
        return PlanEdits.withOperations(plan, rank, block.id(), PlanEdits.replaced(block.operations(), at, other));
    }

    private static List<Operation> others(Operation operation) {
        if (!(operation instanceof Operation.Pipeline pipeline)) {
            return List.of();
        }
        List<Operation> others = new ArrayList<>();
        others.add(new Operation.Pipeline(2 * pipeline.unitSize(), pipeline.chunks(), pipeline.operations()));
        for (int chunks : new int[] {pipeline.chunks() + 1, pipeline.chunks() - 1}) {
            others.add(new Operation.Pipeline(pipeline.unitSize(), chunks, pipeline.operations()));
        }
        List<Operation> inner = pipeline.operations();
        for (int i = 0; i < inner.size(); i++) {
            List<Operation> more = new ArrayList<>(inner);
            more.add(i, inner.get(i));
            others.add(new Operation.Pipeline(pipeline.unitSize(), pipeline.chunks(), more));
        }
        return others;
    }

    private static List<Operation.Data> otherOperands(Operation.Data data) {
        List<Operation.Data> others = new ArrayList<>();
        List<ChunkRef> sources = data.sources();
        List<ChunkRef> destinations = data.destinations();
        for (int k = 0; k < destinations.size(); k++) {
            ChunkRef one = destinations.get(k);
            others.add(PlanEdits.withOperands(
                    data,
                    sources,
                    PlanEdits.replaced(destinations, k, PlanEdits.at(one, one.index(), one.size() + 1))));
            if (k > 0) {
                ChunkRef first = destinations.getFirst();
                for (int shift = 0; shift <= 1; shift++) {
                    others.add(PlanEdits.withOperands(
                            data,
                            sources,
                            PlanEdits.replaced(destinations, k, PlanEdits.at(one, first.index() + shift, one.size()))));
                }
            }
        }
        for (int k = 0; k < sources.size(); k++) {
            ChunkRef one = sources.get(k);
            others.add(PlanEdits.withOperands(
                    data,
                    PlanEdits.replaced(sources, k, PlanEdits.at(one, one.index(), one.size() + 1)),
                    destinations));
            if (one.size() > 1) {
                others.add(PlanEdits.withOperands(
                        data,
                        PlanEdits.replaced(sources, k, PlanEdits.at(one, one.index(), one.size() - 1)),
                        destinations));
            }
        }
        if (sources.size() > 1) {
            others.add(PlanEdits.withOperands(data, sources.subList(1, sources.size()), destinations));
            others.add(PlanEdits.withOperands(data, sources.reversed(), destinations));
        }
        if (destinations.size() > 1) {
            others.add(PlanEdits.withOperands(data, sources, destinations.subList(0, destinations.size() - 1)));
            others.add(PlanEdits.withOperands(data, sources.reversed(), destinations.reversed()));
        }
        if (sources.size() == destinations.size() && !data.byPort()) { // one more operand, which overlaps the first
            ChunkRef to = destinations.getFirst();
            ChunkRef from = sources.getFirst();
            for (int shift = 0; shift <= 1; shift++) {
                List<ChunkRef> moreSources = new ArrayList<>(sources);
                List<ChunkRef> moreDestinations = new ArrayList<>(destinations);
                moreSources.add(PlanEdits.at(from, from.index(), from.size()));
                moreDestinations.add(PlanEdits.at(to, to.index() + shift, to.size()));
                others.add(PlanEdits.withOperands(data, moreSources, moreDestinations));
            }
        }
        return others;
    }

    /** An operation and the next one of its kind, of which only meetings separate it, as one operation. */
    private static Optional<List<Operation>> together(List<Operation> operations, int at) {
        if (!(operations.get(at) instanceof Operation.Data first)
                || first.sources().size() != first.destinations().size()
                || first.byPort()) {
            return Optional.empty();
        }
        int next = at + 1;
        while (next < operations.size() && operations.get(next) instanceof Operation.Nop) {
            next++;
        }
        if (next == operations.size()
                || !(operations.get(next) instanceof Operation.Data second)
                || second.kind() != first.kind()
                || !second.share().equals(first.share())
                || second.sources().size() != second.destinations().size()) {
            return Optional.empty();
        }
        List<ChunkRef> sources = new ArrayList<>(first.sources());
        sources.addAll(second.sources());
        List<ChunkRef> destinations = new ArrayList<>(first.destinations());
        destinations.addAll(second.destinations());
        List<Operation> all = new ArrayList<>(operations.subList(0, at));
        all.add(PlanEdits.withOperands(first, sources, destinations));
        all.addAll(operations.subList(next + 1, operations.size()));
        return Optional.of(all);
    }

    /** Replication by MSCCL++'s rule, which is right only where all ranges of the same chunks have one size. */
    private record MscclppInstances(int count) {
        static Plan of(Plan plan, int count) {
            MscclppInstances instances = new MscclppInstances(count);
            return PlanEdits.eachRank(plan, instances::rank);
        }

        private RankPlan rank(RankPlan rank) {
            return new RankPlan(
                    rank.rank(),
                    rank.inputChunks() * count,
                    rank.outputChunks() * count,
                    rank.scratchChunks() * count,
                    rank.threadBlocks().stream()
                            .flatMap(block -> IntStream.range(0, count).mapToObj(i -> block(block, i)))
                            .toList(),
                    each(rank.memoryChannelPeers()),
                    each(rank.portChannelPeers()),
                    each(rank.switchGroups()),
                    rank.remoteBuffers(),
                    each(rank.semaphoreInitialValues()));
        }

        private <T> List<T> each(List<T> list) {
            return list.stream()
                    .flatMap(one -> IntStream.range(0, count).mapToObj(_ -> one))
                    .toList();
        }

        private ThreadBlock block(ThreadBlock block, int i) {
            return new ThreadBlock(
                    block.id() * count + i,
                    block.operations().stream().map(one -> operation(one, i)).toList(),
                    ids(block.memoryChannels(), i),
                    ids(block.portChannels(), i),
                    ids(block.switchChannels(), i),
                    block.memoryBuffers(),
                    block.portBuffers());
        }

        private List<Integer> ids(List<Integer> ids, int i) {
            return ids.stream().map(id -> id * count + i).toList();
        }

        private Operation operation(Operation operation, int i) {
            return switch (operation) {
                case Operation.Barrier barrier ->
                    new Operation.Barrier(barrier.id() * count + i, barrier.threadBlocks());
                case Operation.SemaphoreAcquire acquire ->
                    new Operation.SemaphoreAcquire(ids(acquire.semaphoreIds(), i));
                case Operation.SemaphoreRelease release ->
                    new Operation.SemaphoreRelease(ids(release.semaphoreIds(), i));
                case Operation.Pipeline pipeline ->
                    new Operation.Pipeline(
                            pipeline.unitSize(),
                            pipeline.chunks(),
                            pipeline.operations().stream()
                                    .map(inner -> operation(inner, i))
                                    .toList());
                case Operation.Data data ->
                    PlanEdits.withOperands(data, references(data.sources(), i), references(data.destinations(), i));
                default -> operation;
            };
        }

        private List<ChunkRef> references(List<ChunkRef> references, int i) {
            return references.stream()
                    .map(one -> PlanEdits.at(one, one.index() * count + i * one.size(), one.size()))
                    .toList();
        }
    }
}

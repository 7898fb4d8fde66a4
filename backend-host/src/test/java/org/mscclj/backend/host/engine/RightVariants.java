package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Changes that leave a right plan right, whatever it does: more order than it needs, the same in other words, more
 * memory than it uses.
 */
final class RightVariants {
    private RightVariants() {}

    static List<Mutants.Mutant> of(Plan plan) {
        List<Mutants.Mutant> variants = new ArrayList<>();
        variants.add(new Mutants.Mutant("as it is", plan));
        variants.add(new Mutants.Mutant("threads meet everywhere", PlanEdits.eachList(plan, RightVariants::withNops)));
        variants.add(new Mutants.Mutant("full signals", PlanEdits.eachOperation(plan, RightVariants::full)));
        variants.add(new Mutants.Mutant("one operand each", PlanEdits.eachList(plan, RightVariants::split)));
        variants.add(new Mutants.Mutant("operands reversed", PlanEdits.eachOperation(plan, RightVariants::reversed)));
        variants.add(new Mutants.Mutant("chunks cut in two", cut(plan, 2)));
        variants.add(new Mutants.Mutant("chunks cut in three", cut(plan, 3)));
        variants.add(new Mutants.Mutant("blocks reversed", PlanEdits.eachRank(plan, RightVariants::blocksReversed)));
        variants.add(new Mutants.Mutant("two halves", halves(plan)));
        variants.add(new Mutants.Mutant(
                "more scratch",
                PlanEdits.eachRank(
                        plan,
                        rank -> PlanEdits.withCounts(
                                rank,
                                rank.inputChunks(),
                                rank.outputChunks(),
                                rank.scratchChunks() + 1,
                                rank.semaphoreInitialValues()))));
        variants.add(new Mutants.Mutant("larger units", PlanEdits.eachOperation(plan, RightVariants::largerUnits)));
        for (ReduceOp.Kind op : List.of(ReduceOp.Kind.MIN, ReduceOp.Kind.SUM)) {
            variants.add(
                    new Mutants.Mutant("fixes " + op, PlanEdits.eachOperation(plan, one -> PlanEdits.fixed(one, op))));
        }
        return variants;
    }

    private static List<Operation> withNops(List<Operation> operations) {
        List<Operation> more = new ArrayList<>();
        for (Operation operation : operations) {
            more.add(operation);
            more.add(new Operation.Nop());
        }
        return more;
    }

    private static Operation full(Operation operation) {
        return switch (operation) {
            case Operation.Signal signal -> new Operation.Signal(signal.channelType(), signal.channelIds(), false);
            case Operation.Wait wait -> new Operation.Wait(wait.channelType(), wait.channelIds(), false);
            default -> operation;
        };
    }

    private static boolean movesSeveral(Operation.Data data) {
        return (data.kind() == DataKind.PUT || data.kind() == DataKind.GET || data.kind() == DataKind.PUT_PACKETS)
                && !data.byPort()
                && data.sources().size() == data.destinations().size();
    }

    private static List<Operation> split(List<Operation> operations) {
        List<Operation> all = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation instanceof Operation.Data data && movesSeveral(data)) {
                IntStream.range(0, data.sources().size())
                        .forEach(k -> all.add(PlanEdits.withOperands(
                                data,
                                List.of(data.sources().get(k)),
                                List.of(data.destinations().get(k)))));
            } else {
                all.add(operation);
            }
        }
        return all;
    }

    private static Operation reversed(Operation operation) {
        return operation instanceof Operation.Data data && movesSeveral(data)
                ? PlanEdits.withOperands(
                        data, data.sources().reversed(), data.destinations().reversed())
                : operation;
    }

    private static Plan cut(Plan plan, int parts) {
        Plan cut = PlanEdits.eachOperation(
                plan,
                one -> one instanceof Operation.Data data
                        ? PlanEdits.withOperands(data, cut(data.sources(), parts), cut(data.destinations(), parts))
                        : one);
        Plan longer = PlanEdits.eachOperation(
                cut,
                one -> one instanceof Operation.Pipeline pipeline
                        ? new Operation.Pipeline(pipeline.unitSize(), pipeline.chunks() * parts, pipeline.operations())
                        : one);
        return PlanEdits.eachRank(
                longer,
                rank -> PlanEdits.withCounts(
                        rank,
                        rank.inputChunks() * parts,
                        rank.outputChunks() * parts,
                        rank.scratchChunks() * parts,
                        rank.semaphoreInitialValues()));
    }

    private static List<ChunkRef> cut(List<ChunkRef> references, int parts) {
        return references.stream()
                .map(one -> PlanEdits.at(one, one.index() * parts, one.size() * parts))
                .toList();
    }

    private static RankPlan blocksReversed(RankPlan rank) {
        List<ThreadBlock> blocks = new ArrayList<>();
        for (ThreadBlock block : rank.threadBlocks().reversed()) {
            blocks.add(new ThreadBlock(
                    blocks.size(),
                    block.operations(),
                    block.memoryChannels(),
                    block.portChannels(),
                    block.switchChannels(),
                    block.memoryBuffers(),
                    block.portBuffers()));
        }
        return rank.withThreadBlocks(blocks);
    }

    private static Plan halves(Plan plan) {
        return new Plan(
                plan.name(),
                plan.collective(),
                plan.protocol(),
                plan.inPlace(),
                plan.reuseResources(),
                plan.threadsPerBlock(),
                true,
                plan.bufferAlignment(),
                plan.minMessageSize(),
                plan.maxMessageSize(),
                plan.ranks());
    }

    private static Operation largerUnits(Operation operation) {
        return operation instanceof Operation.Pipeline pipeline
                ? new Operation.Pipeline(2 * pipeline.unitSize(), pipeline.chunks(), pipeline.operations())
                : operation;
    }
}

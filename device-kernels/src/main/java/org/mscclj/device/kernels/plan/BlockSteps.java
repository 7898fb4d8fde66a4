package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/** Translates the operations of a block into steps. */
final class BlockSteps {
    /** Operands have a bit each in a mask. */
    private static final int MOST_OPERANDS = 62;

    private final Plan plan;
    private final RankPlan rank;
    private final ThreadBlock block;
    private final BlockView view;
    private final Set<OperationAddress> raised;
    private final Set<Integer> sharedChannels;

    private BlockSteps(Plan plan, RankPlan rank, ThreadBlock block, Set<OperationAddress> raised) {
        this.plan = plan;
        this.rank = rank;
        this.block = block;
        this.view = new BlockView(rank, block);
        this.raised = raised;
        this.sharedChannels = sharedChannels(rank);
    }

    /**
     * The steps of a block.
     *
     * @param raised the relaxed signals that release
     */
    static List<Step> of(Plan plan, RankPlan rank, ThreadBlock block, Set<OperationAddress> raised) {
        return new BlockSteps(plan, rank, block, raised).steps();
    }

    /** Memory channels that several blocks use. */
    private static Set<Integer> sharedChannels(RankPlan rank) {
        Set<Integer> used = new HashSet<>();
        Set<Integer> shared = new HashSet<>();
        for (ThreadBlock block : rank.threadBlocks()) {
            for (int channel : new HashSet<>(block.memoryChannels())) {
                if (!used.add(channel)) {
                    shared.add(channel);
                }
            }
        }
        return shared;
    }

    private List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (int position = 0; position < block.operations().size(); position++) {
            add(block.operations().get(position), OperationAddress.of(rank.rank(), block.id(), position), steps);
        }
        return steps;
    }

    private void add(Operation operation, OperationAddress address, List<Step> steps) {
        switch (operation) {
            case Operation.Nop _ -> steps.add(new Step.Nop());
            case Operation.Barrier barrier -> steps.add(new Step.Barrier(barrier.id(), barrier.threadBlocks()));
            case Operation.Signal signal -> {
                requireMemory(signal.channelType(), operation, address);
                steps.add(
                        new Step.Signal(channels(signal.channelIds()), !signal.relaxed() || raised.contains(address)));
            }
            case Operation.Wait wait -> {
                requireMemory(wait.channelType(), operation, address);
                steps.add(new Step.Wait(channels(wait.channelIds()).stream()
                        .map(channel -> new Step.Counter(channel, sharedChannels.contains(channel)))
                        .toList()));
            }
            case Operation.Flush flush -> requireMemory(flush.channelType(), operation, address);
            case Operation.SemaphoreAcquire acquire -> steps.add(new Step.Acquire(acquire.semaphoreIds()));
            case Operation.SemaphoreRelease release -> steps.add(new Step.Release(release.semaphoreIds()));
            case Operation.Pipeline pipeline -> steps.add(pipeline(pipeline, address));
            case Operation.Data data -> data(data, address, steps);
        }
    }

    private Step pipeline(Operation.Pipeline pipeline, OperationAddress address) {
        List<Step> inner = new ArrayList<>();
        for (int i = 0; i < pipeline.operations().size(); i++) {
            add(
                    pipeline.operations().get(i),
                    OperationAddress.inPipeline(rank.rank(), block.id(), address.position(), i),
                    inner);
        }
        return new Step.Pipeline(pipeline.unitSize(), pipeline.chunks(), inner);
    }

    private void data(Operation.Data data, OperationAddress address, List<Step> steps) {
        if (data.byPort()) {
            requireMemory(ChannelType.PORT, data, address);
        }
        for (Move move : Moves.of(view, data)) {
            int operands = move.operands().size();
            if (operands > MOST_OPERANDS) {
                throw new UnsupportedException(where(data, address) + " has " + operands
                        + " operands; a kernel takes up to " + MOST_OPERANDS + ": split it");
            }
            steps.add(new Step.Data(move, plan.doubleScratch() ? move.inScratch() : 0));
        }
    }

    private List<Integer> channels(List<Integer> ids) {
        return ids.stream().map(id -> view.channel(ChannelType.MEMORY, id)).toList();
    }

    private void requireMemory(ChannelType type, Operation operation, OperationAddress address) {
        if (type != ChannelType.MEMORY) {
            throw new UnsupportedException(
                    where(operation, address) + " uses a " + type.label()
                            + " channel; kernels of plans have memory channels only so far: use a plan without, or another backend");
        }
    }

    private String where(Operation operation, OperationAddress address) {
        return "plan " + plan.label() + ", " + address + ", " + operation.label();
    }
}

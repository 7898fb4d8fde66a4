package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.fusion.Move;
import org.mscclj.plan.fusion.Moves;
import org.mscclj.plan.fusion.OperandRange;
import org.mscclj.spi.proxy.Trigger;

/** Translates the operations of a block into steps. */
final class BlockSteps {
    private final Plan plan;
    private final RankPlan rank;
    private final ThreadBlock block;
    private final BlockView view;
    private final Set<OperationAddress> raised;
    private final Optional<ToIntFunction<String>> tracing;
    private final SharedChannels shared;

    /** Port channels through which the block has moved data. */
    private final Set<Integer> used = new TreeSet<>();

    private BlockSteps(
            Plan plan,
            RankPlan rank,
            ThreadBlock block,
            Set<OperationAddress> raised,
            Optional<ToIntFunction<String>> tracing) {
        this.plan = plan;
        this.rank = rank;
        this.block = block;
        this.view = new BlockView(rank, block);
        this.raised = raised;
        this.tracing = tracing;
        this.shared = SharedChannels.of(rank);
    }

    /**
     * The steps of a block.
     *
     * @param raised relaxed signals that are raised to full ones
     * @param tracing returns the number of an operation with a name; empty without tracing
     */
    static List<KernelStep> of(
            Plan plan,
            RankPlan rank,
            ThreadBlock block,
            Set<OperationAddress> raised,
            Optional<ToIntFunction<String>> tracing) {
        return new BlockSteps(plan, rank, block, raised, tracing).steps();
    }

    private List<KernelStep> steps() {
        List<KernelStep> steps = new ArrayList<>();
        for (int position = 0; position < block.operations().size(); position++) {
            add(block.operations().get(position), OperationAddress.of(rank.rank(), block.id(), position), steps);
        }
        // The end of a launch flushes, so that sources may be overwritten afterwards.
        used.forEach(channel -> steps.add(new KernelStep.PortTrigger(channel, Trigger.FLUSH)));
        return steps;
    }

    private void add(Operation operation, OperationAddress address, List<KernelStep> steps) {
        int first = steps.size();
        translate(operation, address, steps);
        tracing.map(numbers -> numbers.applyAsInt(operation.label()))
                .ifPresent(number ->
                        steps.subList(first, steps.size()).replaceAll(step -> new KernelStep.Traced(step, number)));
    }

    private void translate(Operation operation, OperationAddress address, List<KernelStep> steps) {
        switch (operation) {
            case Operation.Nop _ -> steps.add(new KernelStep.Nop());
            case Operation.Barrier barrier -> steps.add(new KernelStep.Barrier(barrier.id(), barrier.threadBlocks()));
            case Operation.Signal signal -> signal(signal, address, steps);
            case Operation.Wait wait ->
                steps.add(new KernelStep.Wait(wait.channelIds().stream()
                        .map(id -> view.channel(wait.channelType(), id))
                        .map(channel -> new KernelStep.Counter(
                                wait.channelType(), channel, shared.contains(wait.channelType(), channel)))
                        .toList()));
            case Operation.Flush flush -> trigger(flush.channelIds(), Trigger.FLUSH, steps);
            case Operation.SemaphoreAcquire acquire -> steps.add(new KernelStep.Acquire(acquire.semaphoreIds()));
            case Operation.SemaphoreRelease release -> steps.add(new KernelStep.Release(release.semaphoreIds()));
            case Operation.Pipeline pipeline -> steps.add(pipeline(pipeline, address));
            case Operation.Data data -> data(data, address, steps);
        }
    }

    private KernelStep pipeline(Operation.Pipeline pipeline, OperationAddress address) {
        List<KernelStep> inner = new ArrayList<>();
        for (int i = 0; i < pipeline.operations().size(); i++) {
            add(
                    pipeline.operations().get(i),
                    OperationAddress.inPipeline(rank.rank(), block.id(), address.position(), i),
                    inner);
        }
        return new KernelStep.Pipeline(pipeline.unitSize(), pipeline.chunks(), inner);
    }

    private void signal(Operation.Signal signal, OperationAddress address, List<KernelStep> steps) {
        if (signal.channelType() == ChannelType.PORT) {
            trigger(signal.channelIds(), Trigger.SIGNAL, steps);
        } else {
            steps.add(new KernelStep.Signal(
                    signal.channelIds().stream()
                            .map(id -> view.channel(ChannelType.MEMORY, id))
                            .toList(),
                    !signal.relaxed() || raised.contains(address)));
        }
    }

    private void trigger(List<Integer> ids, int type, List<KernelStep> steps) {
        ids.forEach(id -> steps.add(new KernelStep.PortTrigger(view.channel(ChannelType.PORT, id), type)));
    }

    private void data(Operation.Data data, OperationAddress address, List<KernelStep> steps) {
        if (data.byPort()) {
            portData(data, steps);
            return;
        }
        List<Move> moves = Moves.of(view, data);
        for (int k = 0; k < moves.size(); k++) {
            Move move = moves.get(k);
            int operands = move.operands().size();
            if (operands > Move.MAX_OPERANDS) {
                throw new UnsupportedException(where(data, address) + " has " + operands
                        + " operands; a kernel takes up to " + Move.MAX_OPERANDS + ": split it");
            }
            steps.add(new KernelStep.Data(move, halves(move), groups(data, k, move)));
        }
    }

    /** The operands of move {@code k} of an operation that are groups: all sources, all destinations, or both. */
    private List<KernelStep.SwitchOperand> groups(Operation.Data data, int k, Move move) {
        List<KernelStep.SwitchOperand> groups = new ArrayList<>();
        if (data.sources().getFirst() instanceof ChunkRef.Multicast source) {
            groups.add(new KernelStep.SwitchOperand(0, switchChannel(source)));
        }
        if (data.destinations().get(k) instanceof ChunkRef.Multicast destination) {
            int first = move.plainSources().size() + move.packetSources().size();
            groups.add(new KernelStep.SwitchOperand(first, switchChannel(destination)));
        }
        return groups;
    }

    private int switchChannel(ChunkRef.Multicast reference) {
        return block.switchChannels().get(reference.switchChannelId());
    }

    private long halves(Move move) {
        return plan.doubleScratch() ? move.inScratch() : 0;
    }

    /** Requests the copy to each destination; every channel that signals does so after its last copy. */
    private void portData(Operation.Data data, List<KernelStep> steps) {
        List<OperandRange> awaited = Moves.awaitedPackets(view, data);
        if (!awaited.isEmpty()) {
            Move wait = new Move(List.of(), awaited, List.of(), List.of(), data.share());
            steps.add(new KernelStep.Data(wait, halves(wait)));
            steps.add(new KernelStep.Nop());
        }
        int finalType =
                (data.kind().signals() ? Trigger.SIGNAL : 0) | (data.kind().flushes() ? Trigger.FLUSH : 0);
        int pairs = data.destinations().size();
        boolean ownChannels = data.channelIds().size() == pairs;
        for (int k = 0; k < pairs; k++) {
            int channel = view.channel(ChannelType.PORT, data.channelIds().get(data.channelOf(k)));
            used.add(channel);
            KernelStep.PortPut put = new KernelStep.PortPut(
                    channel,
                    Moves.source(view, data, k),
                    Moves.destination(view, data, k),
                    data.share(),
                    data.kind().packets(),
                    0);
            steps.add(new KernelStep.PortPut(
                    channel, put.source(), put.destination(), put.share(), put.packets(), halves(put.move())));
            if (finalType != 0 && (ownChannels || k == pairs - 1)) {
                steps.add(new KernelStep.PortTrigger(channel, finalType));
            }
        }
    }

    private String where(Operation operation, OperationAddress address) {
        return "plan " + plan.label() + ", " + address + ", " + operation.label();
    }
}

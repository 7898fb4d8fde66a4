package org.mscclj.device.kernels.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Channels of a rank whose counts several threads raise concurrently, because several of its blocks use them, or a
 * block waits on one twice between two synchronisations.
 */
record SharedChannels(Set<Integer> memory, Set<Integer> port) {
    static SharedChannels of(RankPlan rank) {
        SharedChannels shared =
                new SharedChannels(shared(rank, ThreadBlock::memoryChannels), shared(rank, ThreadBlock::portChannels));
        for (ThreadBlock block : rank.threadBlocks()) {
            shared.addRepeated(new BlockView(rank, block), block.operations(), new HashSet<>());
        }
        return shared;
    }

    /**
     * The position of a channel in an operation determines the thread that waits, so it may differ between operations.
     */
    private void addRepeated(BlockView view, List<Operation> operations, Set<List<Object>> sinceSync) {
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.Nop _, Operation.Barrier _ -> sinceSync.clear();
                case Operation.Wait wait -> {
                    for (int id : wait.channelIds()) {
                        int channel = view.channel(wait.channelType(), id);
                        if (!sinceSync.add(List.of(wait.channelType(), channel))) {
                            (wait.channelType() == ChannelType.PORT ? port : memory).add(channel);
                        }
                    }
                }
                case Operation.Pipeline pipeline -> addRepeated(view, pipeline.operations(), sinceSync);
                default -> {}
            }
        }
    }

    private static Set<Integer> shared(RankPlan rank, Function<ThreadBlock, List<Integer>> channels) {
        Set<Integer> used = new HashSet<>();
        Set<Integer> shared = new HashSet<>();
        for (ThreadBlock block : rank.threadBlocks()) {
            for (int channel : new HashSet<>(channels.apply(block))) {
                if (!used.add(channel)) {
                    shared.add(channel);
                }
            }
        }
        return shared;
    }

    boolean contains(ChannelType type, int channel) {
        return (type == ChannelType.PORT ? port : memory).contains(channel);
    }
}

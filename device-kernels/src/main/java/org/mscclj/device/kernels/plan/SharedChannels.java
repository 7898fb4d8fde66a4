package org.mscclj.device.kernels.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/** Channels of a rank that several of its blocks use, and whose counts they share. */
record SharedChannels(Set<Integer> memory, Set<Integer> port) {
    static SharedChannels of(RankPlan rank) {
        return new SharedChannels(shared(rank, ThreadBlock::memoryChannels), shared(rank, ThreadBlock::portChannels));
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

package org.mscclj.analysis.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.RankPlan;

/** The state that the blocks of a rank share in a launch. */
final class SimulatedRank {
    private final RankPlan plan;
    private final List<SignalCounter> memoryCounters;
    private final List<SignalCounter> portCounters;
    private final List<CountingSemaphore> semaphores;
    private final Map<Integer, SimulatedBarrier> barriers = new HashMap<>();
    private final PacketArea packets = new PacketArea();
    private final List<SimulatedBlock> blocks = new ArrayList<>();
    private final Proxy proxy;

    SimulatedRank(SimulatedMachine machine, RankPlan plan, int memorySlots, int portSlots) {
        this.plan = plan;
        this.memoryCounters = counters(machine, ChannelType.MEMORY, memorySlots);
        this.portCounters = counters(machine, ChannelType.PORT, portSlots);
        this.semaphores = plan.semaphoreInitialValues().stream()
                .map(CountingSemaphore::new)
                .toList();
        this.proxy = new Proxy(machine, plan);
        plan.threadBlocks().forEach(block -> blocks.add(new SimulatedBlock(machine, this, block)));
    }

    private List<SignalCounter> counters(SimulatedMachine machine, ChannelType type, int slots) {
        return IntStream.range(0, slots)
                .mapToObj(slot ->
                        new SignalCounter(plan, type, slot, machine.log().isKept()))
                .toList();
    }

    RankPlan plan() {
        return plan;
    }

    int rank() {
        return plan.rank();
    }

    SignalCounter counter(ChannelType type, int slot) {
        return (type == ChannelType.PORT ? portCounters : memoryCounters).get(slot);
    }

    CountingSemaphore semaphore(int id) {
        return semaphores.get(id);
    }

    SimulatedBarrier barrier(int id) {
        return barriers.computeIfAbsent(id, SimulatedBarrier::new);
    }

    PacketArea packets() {
        return packets;
    }

    Proxy proxy() {
        return proxy;
    }

    List<SimulatedBlock> blocks() {
        return blocks;
    }
}

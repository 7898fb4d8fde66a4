package org.mscclj.plan.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.RankPlan;

/** What the blocks of a rank share in a launch. */
final class RankRun {
    private final RankPlan plan;
    private final List<SignalCounter> memoryCounters;
    private final List<SignalCounter> portCounters;
    private final List<CountingSemaphore> semaphores;
    private final Map<Integer, List<BlockRun>> barriers = new HashMap<>();
    private final PacketArea packets = new PacketArea();
    private final List<BlockRun> blocks = new ArrayList<>();
    private final Proxy proxy;

    RankRun(Machine machine, RankPlan plan, int memorySlots, int portSlots) {
        this.plan = plan;
        this.memoryCounters = counters(machine, memorySlots);
        this.portCounters = counters(machine, portSlots);
        this.semaphores = plan.semaphoreInitialValues().stream()
                .map(CountingSemaphore::new)
                .toList();
        this.proxy = new Proxy(machine, plan);
        plan.threadBlocks().forEach(block -> blocks.add(new BlockRun(machine, this, block)));
    }

    private static List<SignalCounter> counters(Machine machine, int slots) {
        return IntStream.range(0, slots)
                .mapToObj(_ -> new SignalCounter(machine.log().isKept()))
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

    /** The blocks that have come to a barrier and wait there. */
    List<BlockRun> barrier(int id) {
        return barriers.computeIfAbsent(id, _ -> new ArrayList<>());
    }

    PacketArea packets() {
        return packets;
    }

    Proxy proxy() {
        return proxy;
    }

    List<BlockRun> blocks() {
        return blocks;
    }

    /** Says of every block that waits what it waits for. */
    Stream<String> waiting() {
        List<String> texts = new ArrayList<>();
        waitingForSignals(ChannelType.MEMORY, memoryCounters, texts);
        waitingForSignals(ChannelType.PORT, portCounters, texts);
        for (int id = 0; id < semaphores.size(); id++) {
            String reason = " waits for semaphore " + id + " to be released";
            semaphores.get(id).waiters().forEach(block -> texts.add(block.place() + reason));
        }
        barriers.forEach((id, met) -> met.forEach(block -> texts.add(
                block.place() + " waits at barrier " + id + ", to which " + met.size() + " blocks have come")));
        packets.waiters()
                .forEach(waiter -> texts.add(waiter.block().place() + " waits for packets in its scratch, of which "
                        + waiter.missing() + " bytes have not come"));
        return texts.stream();
    }

    private void waitingForSignals(ChannelType type, List<SignalCounter> counters, List<String> texts) {
        for (int id = 0; id < counters.size(); id++) {
            SignalCounter counter = counters.get(id);
            for (SignalCounter.Waiter waiter : counter.waiters()) {
                texts.add(waiter.block().place() + " waits for signal " + waiter.number() + " of rank "
                        + plan.channelPeers(type).get(id) + " on " + type.label() + " channel #" + id
                        + ", on which " + counter.arrived() + " have come");
            }
        }
    }
}

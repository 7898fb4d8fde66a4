package org.mscclj.analysis.simulate;

import java.util.List;
import org.mscclj.analysis.simulate.flow.LinkUsage;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.topology.Network;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.layout.RoundLayout;

/**
 * The execution of one data operation of one block: it waits for packets, uses links while it moves data, and delivers
 * packets.
 */
final class DataRun {
    private final SimulatedMachine machine;
    private final SimulatedBlock block;
    private final SimulatedRank rank;
    private final Operation.Data data;
    private final SimulatedOperands operands;
    private final List<RoundLayout.Range> awaited;

    DataRun(SimulatedMachine machine, SimulatedBlock block, Operation.Data data) {
        this.machine = machine;
        this.block = block;
        this.rank = block.rank();
        this.data = data;
        this.operands = new SimulatedOperands(machine, block, data);
        this.awaited = operands.length() == 0 ? List.of() : operands.awaitedPackets();
    }

    /** Begins at the current time. */
    void begin() {
        PacketWait wait = new PacketWait(block, awaited, () -> packetsArrived(true));
        if (awaited.isEmpty() || rank.packets().await(wait)) {
            packetsArrived(false);
        } else {
            block.waitFor(wait);
        }
    }

    /** All packets that the operation reads have arrived. */
    private void packetsArrived(boolean waited) {
        if (machine.log().isKept()) {
            awaited.stream()
                    .flatMap(range -> rank.packets().writers(range).stream())
                    .distinct()
                    .forEach(writer -> machine.log().depends(writer, block.span(), Dependency.Kind.PACKETS));
        }
        double begin = machine.clock().now() + block.before(!awaited.isEmpty(), waited);
        if (data.byPort()) {
            machine.clock().at(begin, this::handOver);
        } else if (operands.length() == 0) {
            block.endAndAdvance(begin, 0);
        } else {
            BlockWork work = new BlockWork(
                    machine.network(), rank.rank(), machine.costs().rates(), operands.bytesOfPackets());
            operands.describe(work);
            machine.clock()
                    .at(
                            begin + work.roundTrip(),
                            () -> machine.flows()
                                    .start((double) operands.length(), rate(work), work.usage(), this::moved));
        }
    }

    /** Threads of a fused block store at once, so links are the only limit. */
    private double rate(BlockWork work) {
        return machine.fused().isPresent() ? Double.POSITIVE_INFINITY : work.rate();
    }

    private void moved() {
        double now = machine.clock().now();
        int span = block.span();
        for (SimulatedOperands.Packets packets : operands.writtenPackets()) {
            PacketArea area = machine.rank(packets.owner()).packets();
            RoundLayout.Range range = packets.range();
            machine.clock().at(now + packets.latency(), () -> area.arrive(range.start(), range.length(), span));
        }
        block.endAndAdvance(now, operands.length() * data.destinations().size());
    }

    private void handOver() {
        List<Integer> ids = data.channelIds();
        List<ChunkRef> destinations = data.destinations();
        if (ids.size() == 1) {
            put(destinations, ids.getFirst()); // all in one request; the signal follows the last byte
        } else {
            for (int k = 0; k < ids.size(); k++) {
                put(destinations.subList(k, k + 1), ids.get(k));
            }
        }
        if (data.kind().flushes()) {
            block.flushAndAdvance(ids);
        } else {
            block.endAndAdvance(machine.clock().now(), 0);
        }
    }

    /** Hands a put to one peer to the proxy. */
    private void put(List<ChunkRef> destinations, int id) {
        int channel = block.view().channel(ChannelType.PORT, id);
        int owner = block.view().peer(ChannelType.PORT, id);
        double copies = data.kind().packets() ? 2 : 1;
        Network network = machine.network();
        LinkUsage usage = new LinkUsage()
                .add(network.memory(rank.rank()), copies)
                .add(network.portRoute(rank.rank(), owner).links(), copies)
                .add(network.memory(owner), copies);
        double rate = Double.POSITIVE_INFINITY;
        if (network.cores(rank.rank()).isPresent()) {
            usage.add(network.cores(rank.rank()).getAsInt(), copies);
            rate = machine.costs().rates().copy() / copies;
        }
        int by = data.kind().flushes() ? block.before() : block.span(); // a put that flushes includes the proxy's span
        int span = block.openForProxy(machine.clock().now(), by);
        List<RoundLayout.Range> packets = data.kind().packets()
                ? destinations.stream().map(operands::range).toList()
                : List.of();
        PacketArea area = machine.rank(owner).packets();
        Runnable arrival = () -> packets.forEach(range -> area.arrive(range.start(), range.length(), span));
        long bytes = operands.length() * destinations.size();
        rank.proxy()
                .handOver(
                        new ProxyTask(
                                channel,
                                span,
                                bytes,
                                rate,
                                usage,
                                arrival,
                                data.kind().signals()),
                        by);
    }
}

package org.mscclj.plan.simulate;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.simulate.flow.Usage;

/** One data operation of one block: waits for packets, takes links while it moves, and lets packets arrive. */
final class DataRun {
    private final Machine machine;
    private final BlockRun block;
    private final RankRun rank;
    private final Operation.Data data;
    private final Operands operands;
    private final List<RoundLayout.Range> awaited;

    DataRun(Machine machine, BlockRun block, Operation.Data data) {
        this.machine = machine;
        this.block = block;
        this.rank = block.rank();
        this.data = data;
        this.operands = new Operands(machine, block, data);
        this.awaited = operands.length() == 0 ? List.of() : operands.awaitedPackets();
    }

    /** Begins now. */
    void begin() {
        if (awaited.isEmpty() || rank.packets().await(block, awaited)) {
            packetsAreThere();
        } else {
            block.waitForPackets(this);
        }
    }

    /** All packets that it reads are there. */
    void packetsAreThere() {
        if (machine.log().isKept()) {
            awaited.stream()
                    .flatMap(range -> rank.packets().writers(range).stream())
                    .distinct()
                    .forEach(writer -> machine.log().depends(writer, block.span(), Dependency.Kind.PACKETS));
        }
        double begin = machine.clock().now() + machine.costs().operation();
        if (data.channelType().filter(ChannelType.PORT::equals).isPresent()) {
            machine.clock().at(begin, this::handOver);
        } else if (operands.length() == 0) {
            block.endAndGoOn(begin, 0);
        } else {
            BlockWork work = new BlockWork(
                    machine.network(), rank.rank(), machine.costs().rates());
            operands.describe(work);
            machine.clock()
                    .at(
                            begin + work.roundTrip(),
                            () -> machine.flows().start((double) operands.length(), work.rate(), work.usage(), this::moved));
        }
    }

    private void moved() {
        double now = machine.clock().now();
        int span = block.span();
        for (Operands.Packets packets : operands.writtenPackets()) {
            PacketArea area = machine.rank(packets.owner()).packets();
            RoundLayout.Range range = packets.range();
            machine.clock().at(now + packets.latency(), () -> area.arrive(range.start(), range.length(), span));
        }
        block.endAndGoOn(now, operands.length() * data.destinations().size());
    }

    private void handOver() {
        double now = machine.clock().now();
        boolean signals = data.kind() == DataKind.PUT_WITH_SIGNAL || flushes();
        List<Integer> ids = data.channelIds();
        for (int k = 0; k < data.destinations().size(); k++) {
            int id = ids.get(Math.min(k, ids.size() - 1));
            // With one channel for several destinations, the signal follows the last.
            boolean last = ids.size() > 1 || k == data.destinations().size() - 1;
            put(k, block.threadBlock().portChannels().get(id), signals && last, now);
        }
        if (flushes()) {
            block.flushAndGoOn(ids);
        } else {
            block.endAndGoOn(now, 0);
        }
    }

    private boolean flushes() {
        return data.kind() == DataKind.PUT_WITH_SIGNAL_AND_FLUSH;
    }

    private void put(int k, int channel, boolean signals, double now) {
        int owner = operands.owner((ChunkRef.Remote) data.destinations().get(k));
        double latency = machine.network().portRoute(rank.rank(), owner).latency();
        double copies = data.kind().packets() ? 2 : 1;
        Usage usage = new Usage()
                .add(machine.network().memory(rank.rank()), copies)
                .add(machine.network().portRoute(rank.rank(), owner).links(), copies)
                .add(machine.network().memory(owner), copies);
        machine.network().cores(rank.rank()).ifPresent(cores -> usage.add(cores, copies));
        int by = flushes() ? block.before() : block.span(); // the proxy's part lies within one that flushes
        int span = block.openForProxy(now, by);
        List<Runnable> arrivals = new ArrayList<>();
        if (data.kind().packets()) {
            RoundLayout.Range range = operands.range(data.destinations().get(k));
            PacketArea area = machine.rank(owner).packets();
            arrivals.add(() -> area.arrive(range.start(), range.length(), span));
        }
        rank.proxy()
                .handOver(
                        new ProxyTask(
                                channel,
                                span,
                                operands.length(),
                                usage,
                                latency,
                                () -> arrivals.forEach(Runnable::run),
                                signals),
                        by,
                        now);
    }
}

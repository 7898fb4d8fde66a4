package org.mscclj.analysis.simulate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.walk.FusedForm;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.fusion.Lines;
import org.mscclj.plan.fusion.PacketUnit;
import org.mscclj.plan.layout.RoundLayout;

/** The operands of one data operation of a block, in padded bytes. */
final class SimulatedOperands {
    /** Bytes of packets for each byte of payload: as many flags as data. */
    private static final double PACKET = (double) PacketUnit.BYTES / PacketUnit.PAYLOAD;

    /** Bytes of lines for each byte of payload. */
    private static final double LINE = (double) Lines.BYTES / Lines.PAYLOAD;

    private final SimulatedMachine machine;
    private final SimulatedBlock block;
    private final Operation.Data data;

    /** Offset of this block's share in every operand. */
    private final long from;

    private final long length;

    SimulatedOperands(SimulatedMachine machine, SimulatedBlock block, Operation.Data data) {
        this.machine = machine;
        this.block = block;
        this.data = data;
        RoundLayout layout = machine.layout();
        long whole = data.destinations().getFirst().size() * layout.chunkBytes();
        RoundLayout.Range part = part(whole);
        this.from = part.start();
        this.length = part.length();
    }

    private RoundLayout.Range part(long whole) {
        int align = machine.plan().bufferAlignment();
        Operation.@Nullable Pipeline pipeline = block.cursor().pipeline();
        if (machine.fused().isPresent()) {
            long unit = machine.fused().get().turnBytes();
            return RoundLayout.part(whole, data.share(), align, block.turn() * unit, unit);
        }
        return pipeline == null || data.kind().packets()
                ? RoundLayout.share(whole, data.share(), align)
                : RoundLayout.part(
                        whole,
                        data.share(),
                        align,
                        block.cursor().iteration() * pipeline.unitSize(),
                        pipeline.unitSize());
    }

    /** Bytes of this block's share of each operand. */
    long length() {
        return length;
    }

    RoundLayout.Range range(ChunkRef reference) {
        return new RoundLayout.Range(reference.index() * machine.layout().chunkBytes() + from, length);
    }

    private int owner(ChunkRef.Remote reference) {
        return block.view().remote(reference, data).rank();
    }

    private List<Integer> members(ChunkRef.Multicast reference) {
        return block.view().group(reference).ranks();
    }

    /** Bytes of packets for each byte of their payload, other than through port channels. */
    double bytesOfPackets() {
        return machine.fused().filter(FusedForm::lines).isPresent() ? LINE : PACKET;
    }

    /** The packets that the operation waits for. */
    List<RoundLayout.Range> awaitedPackets() {
        return data.awaitedPackets().stream().map(this::range).toList();
    }

    /**
     * Packets that the operation writes.
     *
     * @param owner rank whose scratch receives them
     * @param latency nanoseconds until they are visible there
     */
    record Packets(int owner, RoundLayout.Range range, double latency) {}

    /** The packets that the operation writes, except through port channels. */
    List<Packets> writtenPackets() {
        if (length == 0) {
            return List.of();
        }
        List<Packets> written = new ArrayList<>();
        for (ChunkRef reference : data.writtenPackets()) {
            RoundLayout.Range range = range(reference);
            switch (reference) {
                case ChunkRef.Local _ -> written.add(new Packets(self(), range, 0));
                case ChunkRef.Remote remote -> written.add(packets(owner(remote), range));
                case ChunkRef.Multicast all -> members(all).forEach(member -> written.add(packets(member, range)));
            }
        }
        return written;
    }

    private Packets packets(int owner, RoundLayout.Range range) {
        return new Packets(
                owner, range, machine.network().memoryRoute(self(), owner).latency());
    }

    private int self() {
        return block.rank().rank();
    }

    /** Adds the reads and writes of each byte to the block's work. */
    void describe(BlockWork work) {
        for (int k = 0; k < data.sources().size(); k++) {
            read(work, data.sources().get(k), data.sourceRole(k).packets());
        }
        for (int k = 0; k < data.destinations().size(); k++) {
            write(work, data.destinations().get(k), data.destinationRole(k).packets());
        }
    }

    private void read(BlockWork work, ChunkRef source, boolean packets) {
        boolean reduced = data.kind().reduces();
        switch (source) {
            case ChunkRef.Local _ -> work.readLocal(packets, reduced);
            case ChunkRef.Remote remote -> work.readRemote(owner(remote), reduced);
            case ChunkRef.Multicast all -> work.reduceThroughSwitch(members(all));
        }
    }

    private void write(BlockWork work, ChunkRef destination, boolean packets) {
        switch (destination) {
            case ChunkRef.Local _ -> work.writeLocal(packets);
            case ChunkRef.Remote remote -> work.writeRemote(owner(remote), packets);
            case ChunkRef.Multicast all -> work.storeThroughSwitch(members(all), packets);
        }
    }
}

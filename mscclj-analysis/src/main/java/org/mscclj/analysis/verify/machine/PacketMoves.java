package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verify.machine.SymbolicOperands.CellRange;
import org.mscclj.analysis.verify.order.VectorClock;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/**
 * The packet accesses of a data operation. Each element is validated, computed and sent on its own, before the block's
 * threads synchronise.
 */
final class PacketMoves {
    private final SymbolicMachine machine;
    private final SymbolicRank rank;
    private final Block block;
    private final Operation.Data data;
    private final SymbolicOperands operands;
    private final PacketClocks packetClocks = new PacketClocks();

    PacketMoves(
            SymbolicMachine machine, SymbolicRank rank, Block block, Operation.Data data, SymbolicOperands operands) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.data = data;
        this.operands = operands;
    }

    /** Whether all packets have arrived; if not, the block waits. */
    boolean haveArrived() {
        for (ChunkRef reference : data.awaitedPackets()) {
            CellRange range = operands.range(reference);
            for (int cell = 0; cell < range.length(); cell++) {
                PacketCell packet = operands.packet(range, cell);
                if (!operands.isOfLaunch(packet)) {
                    int chunk = operands.chunkOf(range, cell);
                    packet.waiting.add(block);
                    block.waitFor(() -> "packets in chunk " + chunk + " of its scratch");
                    return false;
                }
            }
        }
        return true;
    }

    /** Moves operand {@code k}: writes plain data as packets, and copies or forwards packets. */
    void move(int k, Agent agent) {
        CellRange source =
                operands.range(data.sources().get(Math.min(k, data.sources().size() - 1)));
        boolean packs = !data.sourceRole(k).packets();
        for (CellRange destination : operands.ranges(data.destinations().get(k))) {
            for (int cell = 0; cell < destination.length(); cell++) {
                Element element = new Element();
                agent.compute(element);
                if (packs) {
                    int value = readPlain(source, cell, agent, element);
                    write(destination, cell, value, element, agent);
                } else {
                    copy(source, destination, cell, agent, element);
                }
            }
        }
        agent.compute(null);
    }

    private void copy(CellRange source, CellRange destination, int cell, Agent agent, Element element) {
        PacketCell packet = operands.packet(source, cell);
        if (operands.isOfLaunch(packet) && isValidated(packet, agent)) {
            read(source, cell, agent, element);
            write(destination, cell, packet.value, element, agent);
        } else { // a proxy also copies data that is no packet yet
            PacketCell overwritten = operands.packet(destination, cell);
            if (operands.isOfLaunch(overwritten)) {
                machine.report().add(conflict(destination, cell, overwritten.writer, overwritten.step, true, agent));
            }
            overwritten.invalidate(rank.launch(), agent);
        }
    }

    /**
     * A block validates the packets that it reads. A proxy only copies, so the packet must happen before its copy, or a
     * block must have validated it before.
     */
    private boolean isValidated(PacketCell packet, Agent agent) {
        return agent == block.agent()
                || data.kind() == DataKind.READ_PUT_PACKETS
                || agent.isAfterWrite(packet.writer, packet.step);
    }

    /** Reads packets and writes plain memory. */
    void unpack(Agent agent) {
        for (int k = 0; k < data.destinations().size(); k++) {
            CellRange source = operands.source(k);
            CellRange destination = operands.destination(k);
            for (int cell = 0; cell < destination.length(); cell++) {
                Element element = new Element();
                agent.compute(element);
                read(source, cell, agent, element);
                writePlain(destination, cell, operands.packet(source, cell).value, agent);
            }
        }
        agent.compute(null);
    }

    /**
     * Reduces packets and one plain source, in the order of the engines, writes the result to a plain destination, and
     * sends it as packets.
     */
    void reduce(Agent agent) {
        List<CellRange> packets = operands.ranges(data.awaitedPackets());
        CellRange plain = operands.source(0);
        List<CellRange> destinations = operands.ranges(data.destinations());
        operands.requireNoShift(List.of(plain), destinations.getFirst());
        int[] inputs = new int[packets.size() + 1];
        int before = data.packetsBeforePlain();
        for (int cell = 0; cell < plain.length(); cell++) {
            Element element = new Element();
            agent.compute(element);
            for (int k = 0; k < packets.size(); k++) {
                read(packets.get(k), cell, agent, element);
                inputs[k < before ? k : k + 1] = operands.packet(packets.get(k), cell).value;
            }
            inputs[before] = readPlain(plain, cell, agent, element);
            int value = machine.values().reduce(inputs);
            writePlain(destinations.getFirst(), cell, value, agent);
            for (CellRange destination : destinations.subList(1, destinations.size())) {
                write(destination, cell, value, element, agent);
            }
        }
        agent.compute(null);
    }

    /** Reads a packet that has arrived. The reader acquires the clock before the writer's launch. */
    private void read(CellRange range, int cell, Agent agent, Element element) {
        PacketCell packet = operands.packet(range, cell);
        if (packet.rewritten
                // the read may return the packet before: both flags are equal
                && !agent.isAfterWrite(packet.writer, packet.step)) {
            machine.report()
                    .add(new Conflict(
                            range.owner().plan().rank(),
                            "s",
                            range.start() + cell,
                            packet.writer,
                            packet.step,
                            true,
                            agent.index(),
                            agent.step(),
                            false));
        }
        VectorClock begin = packet.begin;
        VectorClock released = packet.released;
        if (begin != null && released != null && packet.writer != agent.index()) {
            element.follows(begin, released);
            if (agent == block.agent()) {
                block.acquirePacket(begin, released);
            } else {
                agent.acquire(begin);
                agent.acquireReads(released);
            }
        }
        ElementRead read = new ElementRead(agent.index(), agent.step());
        packet.readers.add(read);
        packet.sources.forEach(source -> source.followedBy(read));
        element.read(read);
    }

    /** Reads plain memory to compute a packet from it. */
    private int readPlain(CellRange range, int cell, Agent agent, Element element) {
        SymbolicCells cells = operands.cells(range);
        ElementRead read = new ElementRead(agent.index(), agent.step());
        machine.report().add(cells.read(range.start() + cell, agent, read));
        element.read(read);
        return cells.value(range.start() + cell);
    }

    private void writePlain(CellRange range, int cell, int value, Agent agent) {
        operands.requireOneValue(range, cell, value, agent);
        machine.report().add(operands.cells(range).write(range.start() + cell, value, agent));
    }

    private void write(CellRange range, int cell, int value, Element element, Agent agent) {
        PacketCell packet = operands.packet(range, cell);
        boolean again = operands.isOfLaunch(packet);
        if (again && packet.value == value) {
            if (packet.writer != agent.index()) {
                machine.report().twoWriters(packet, block, range.owner().plan().rank(), operands.chunkOf(range, cell));
            }
            packet.lastStep =
                    agent.step(); // a reader may have read the first of both; an overwrite must follow this one
            return;
        }
        machine.report().add(packet.isWritten() ? overtakes(packet, range, cell, agent) : null);
        if (packet.isInvalidated(rank.launch()) && !agent.isAfterWrite(packet.invalidator, packet.invalidStep)) {
            machine.report().add(conflict(range, cell, packet.invalidator, packet.invalidStep, true, agent));
        }
        packet.rewritten = again;
        packet.value = value;
        packet.launch = rank.launch();
        packet.writer = agent.index();
        packet.step = agent.step();
        packet.lastStep = agent.step();
        packetClocks.of(element, rank.begin(), agent.release());
        packet.begin = packetClocks.begin();
        packet.released = packetClocks.released();
        packet.sources = element.reads();
        packet.readers = new ArrayList<>();
        machine.wake(packet.waiting);
    }

    /**
     * A packet may be overwritten after all its reads. If it has none, or was written again, it may be overwritten
     * after that write; the same holds for what a proxy copied over it.
     */
    private @Nullable Conflict overtakes(PacketCell packet, CellRange range, int cell, Agent agent) {
        for (ElementRead read : packet.readers) {
            if (!read.happensBefore(agent)) {
                return conflict(range, cell, read.agent(), read.step(), false, agent);
            }
        }
        boolean landed = !packet.readers.isEmpty() && packet.lastStep == packet.step;
        return !landed && !agent.isAfterWrite(packet.writer, packet.lastStep)
                ? conflict(range, cell, packet.writer, packet.lastStep, true, agent)
                : null;
    }

    private static Conflict conflict(CellRange range, int cell, int first, int step, boolean wrote, Agent second) {
        return new Conflict(
                range.owner().plan().rank(),
                "s",
                range.start() + cell,
                first,
                step,
                wrote,
                second.index(),
                second.step(),
                true);
    }
}

package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.verify.Operands.Place;

/**
 * What a data operation does with packets: each element is validated, computed and sent on its own, before the block's
 * threads meet.
 */
final class PacketMoves {
    private final Machine machine;
    private final RankRun rank;
    private final Block block;
    private final Operation.Data data;
    private final Operands operands;
    private final PassedOn passedOn = new PassedOn();

    PacketMoves(Machine machine, RankRun rank, Block block, Operation.Data data, Operands operands) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.data = data;
        this.operands = operands;
    }

    /** Whether all of them have come; if not, the block waits. */
    boolean areThere() {
        for (ChunkRef reference : data.awaitedPackets()) {
            Place place = operands.place(reference);
            for (int cell = 0; cell < place.length(); cell++) {
                PacketCell packet = operands.packet(place, cell);
                if (!operands.isOfLaunch(packet)) {
                    int chunk = operands.chunkOf(place, cell);
                    packet.waiting.add(block);
                    block.waitFor(() -> "packets in chunk " + chunk + " of its scratch");
                    return false;
                }
            }
        }
        return true;
    }

    /** Moves operand {@code k}: packs what is plain, and copies or passes on what is packets. */
    void move(int k, Agent agent) {
        Place source =
                operands.place(data.sources().get(Math.min(k, data.sources().size() - 1)));
        boolean packs = !data.sourceRole(k).packets();
        for (Place destination : operands.places(data.destinations().get(k))) {
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

    private void copy(Place source, Place destination, int cell, Agent agent, Element element) {
        PacketCell packet = operands.packet(source, cell);
        if (operands.isOfLaunch(packet) && isKnown(packet, agent)) {
            read(source, cell, agent, element);
            write(destination, cell, packet.value, element, agent);
        } else { // a proxy copies also what is no packet yet
            PacketCell overwritten = operands.packet(destination, cell);
            if (operands.isOfLaunch(overwritten)) {
                machine.report().add(conflict(destination, cell, overwritten.writer, overwritten.step, true, agent));
            }
            overwritten.invalidate(rank.launch(), agent);
        }
    }

    /**
     * A block validates what it reads; a proxy only copies, and must know that it is there, or be told by a block that
     * has validated it.
     */
    private boolean isKnown(PacketCell packet, Agent agent) {
        return agent == block.agent()
                || data.kind() == DataKind.READ_PUT_PACKETS
                || agent.knowsWrite(packet.writer, packet.step);
    }

    /** Packets to plain memory. */
    void unpack(Agent agent) {
        for (int k = 0; k < data.destinations().size(); k++) {
            Place source = operands.source(k);
            Place destination = operands.destination(k);
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
     * Packets and one plain source, in the order in which engines combine them, to a plain destination and on as
     * packets.
     */
    void reduce(Agent agent) {
        List<Place> packets = operands.places(data.awaitedPackets());
        Place plain = operands.source(0);
        List<Place> destinations = operands.places(data.destinations());
        operands.requireNoShift(List.of(plain), destinations.getFirst());
        int[] inputs = new int[packets.size() + 1];
        for (int cell = 0; cell < plain.length(); cell++) {
            Element element = new Element();
            agent.compute(element);
            for (int k = 0; k < packets.size(); k++) {
                read(packets.get(k), cell, agent, element);
                inputs[k] = operands.packet(packets.get(k), cell).value;
            }
            inputs[packets.size()] = readPlain(plain, cell, agent, element);
            int value = machine.values().reduce(inputs);
            writePlain(destinations.getFirst(), cell, value, agent);
            for (Place destination : destinations.subList(1, destinations.size())) {
                write(destination, cell, value, element, agent);
            }
        }
        agent.compute(null);
    }

    /** Reads a packet that is there; who reads it hears what preceded the writer's launch. */
    private void read(Place place, int cell, Agent agent, Element element) {
        PacketCell packet = operands.packet(place, cell);
        if (packet.rewritten
                && !agent.knowsWrite(packet.writer, packet.step)) { // it may read the one before: the flags are equal
            machine.report()
                    .add(new Conflict(
                            place.owner().plan().rank(),
                            "s",
                            place.start() + cell,
                            packet.writer,
                            packet.step,
                            true,
                            agent.index(),
                            agent.step(),
                            false));
        }
        Knowledge begin = packet.begin;
        Knowledge told = packet.told;
        if (begin != null && told != null && packet.writer != agent.index()) {
            element.follows(begin, told);
            if (agent == block.agent()) {
                block.hearPacket(begin, told);
            } else {
                agent.hear(begin);
                agent.hearReads(told);
            }
        }
        ElementRead read = new ElementRead(agent.index(), agent.step());
        packet.readers.add(read);
        packet.sources.forEach(source -> source.followedBy(read));
        element.read(read);
    }

    /** Reads plain memory to compute a packet from it. */
    private int readPlain(Place place, int cell, Agent agent, Element element) {
        Cells cells = operands.cells(place);
        ElementRead read = new ElementRead(agent.index(), agent.step());
        machine.report().add(cells.read(place.start() + cell, agent, read));
        element.read(read);
        return cells.value(place.start() + cell);
    }

    private void writePlain(Place place, int cell, int value, Agent agent) {
        operands.requireOneValue(place, cell, value, agent);
        machine.report().add(operands.cells(place).write(place.start() + cell, value, agent));
    }

    private void write(Place place, int cell, int value, Element element, Agent agent) {
        PacketCell packet = operands.packet(place, cell);
        boolean again = operands.isOfLaunch(packet);
        if (again && packet.value == value) {
            if (packet.writer != agent.index()) {
                machine.report().twoWriters(packet, block, place.owner().plan().rank(), operands.chunkOf(place, cell));
            }
            packet.lastStep =
                    agent.step(); // who reads it may have read the first one, who overwrites it must come after this
            // one
            return;
        }
        machine.report().add(packet.isWritten() ? overtakes(packet, place, cell, agent) : null);
        if (packet.isInvalidated(rank.launch()) && !agent.knowsWrite(packet.invalidator, packet.invalidStep)) {
            machine.report().add(conflict(place, cell, packet.invalidator, packet.invalidStep, true, agent));
        }
        packet.rewritten = again;
        packet.value = value;
        packet.launch = rank.launch();
        packet.writer = agent.index();
        packet.step = agent.step();
        packet.lastStep = agent.step();
        passedOn.of(element, rank.begin(), agent.tell());
        packet.begin = passedOn.begin();
        packet.told = passedOn.told();
        packet.sources = element.reads();
        packet.readers = new ArrayList<>();
        machine.wake(packet.waiting);
    }

    /**
     * A packet may be overwritten when all who read it have; if nobody did, or it was written once more, when that is
     * known to be there; and so must be what a proxy has copied over it.
     */
    private @Nullable Conflict overtakes(PacketCell packet, Place place, int cell, Agent agent) {
        for (ElementRead read : packet.readers) {
            if (!read.isKnownTo(agent)) {
                return conflict(place, cell, read.agent(), read.step(), false, agent);
            }
        }
        boolean landed = !packet.readers.isEmpty() && packet.lastStep == packet.step;
        return !landed && !agent.knowsWrite(packet.writer, packet.lastStep)
                ? conflict(place, cell, packet.writer, packet.lastStep, true, agent)
                : null;
    }

    private static Conflict conflict(Place place, int cell, int first, int step, boolean wrote, Agent second) {
        return new Conflict(
                place.owner().plan().rank(),
                "s",
                place.start() + cell,
                first,
                step,
                wrote,
                second.index(),
                second.step(),
                true);
    }
}

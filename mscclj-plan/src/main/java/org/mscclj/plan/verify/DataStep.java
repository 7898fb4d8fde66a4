package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.layout.RoundLayout;

/** One data operation of one block: which cells it reads and writes, and what it computes. */
final class DataStep {
    private final Machine machine;
    private final Machine.Rank rank;
    private final Block block;
    private final Operation.Data data;
    private final boolean port;

    /** Cells that this block handles, from the start of every range. */
    private int from;

    private int length;

    DataStep(Machine machine, Machine.Rank rank, Block block, Operation.Data data) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.data = data;
        this.port = data.channelType().filter(ChannelType.PORT::equals).isPresent();
    }

    /** Whether an operation signals by itself. */
    static boolean signals(DataKind kind) {
        return kind == DataKind.PUT_WITH_SIGNAL || kind == DataKind.PUT_WITH_SIGNAL_AND_FLUSH;
    }

    /** Where a range of chunks lies. */
    private record Place(Machine.Rank owner, BufferType buffer, int start) {}

    /** Does it; false if it has to wait for packets. */
    boolean perform() {
        setRange();
        if (!packetsAreThere()) {
            return false;
        }
        switch (data.kind()) {
            case PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH, GET, COPY -> move();
            case REDUCE, REDUCE_SEND, READ_REDUCE, READ_REDUCE_SEND -> reduce();
            case COPY_PACKETS, PUT_PACKETS, READ_PUT_PACKETS, SWITCH_STORE_PACKETS -> movePackets();
            case UNPACK_PACKETS -> unpack();
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS -> reducePackets();
            case SWITCH_STORE, SWITCH_REDUCE_STORE -> throughSwitch();
        }
        if (signals(data.kind())) {
            for (int id : data.channelIds()) {
                machine.signal(rank, block, ChannelType.PORT, id, false);
                if (data.kind() == DataKind.PUT_WITH_SIGNAL_AND_FLUSH) {
                    machine.flush(rank, block, id);
                }
            }
        }
        return true;
    }

    private void setRange() {
        int size = data.destinations().getFirst().size();
        int cells = size * machine.scenario().cellsPerChunk();
        BlockShare share = data.share();
        RoundLayout.Range range = RoundLayout.share(cells, share, 1);
        from = (int) range.start();
        length = (int) range.length();
        if (block.isInPipeline() && !data.kind().packets()) {
            int unit = machine.scenario().cellsPerIteration();
            int done = Math.min(length, block.iteration() * unit);
            from += done;
            length = Math.min(unit, length - done);
        }
    }

    private Place local(ChunkRef reference) {
        if (reference instanceof ChunkRef.Local local) {
            return place(rank, local.buffer(), local.index());
        }
        if (reference instanceof ChunkRef.Remote remote) {
            ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
            int id = block.threadBlock().remoteBuffers(type).get(remote.bufferId());
            RemoteBuffer buffer = rank.plan.remoteBuffers().get(id);
            return place(machine.rank(buffer.rank()), buffer.buffer(), remote.index());
        }
        throw new IllegalStateException("a multicast reference has a place on every member");
    }

    private List<Place> everywhere(ChunkRef reference) {
        if (!(reference instanceof ChunkRef.Multicast all)) {
            return List.of(local(reference));
        }
        SwitchGroup group = rank.plan
                .switchGroups()
                .get(block.threadBlock().switchChannels().get(all.switchChannelId()));
        return group.ranks().stream()
                .map(member -> place(machine.rank(member), group.buffer(), all.index()))
                .toList();
    }

    private Place place(Machine.Rank owner, BufferType buffer, int index) {
        return new Place(
                owner,
                buffer,
                owner.memory.offset(buffer) + index * machine.scenario().cellsPerChunk() + from);
    }

    private Cells cells(Place place) {
        return place.owner.memory.cells(place.buffer, rank.launch);
    }

    private PacketCell packet(Place place, int cell) {
        return place.owner.memory.packet(place.start + cell, rank.launch);
    }

    private int read(Place place, int cell, Agent agent) {
        Cells cells = cells(place);
        machine.report().add(cells.read(place.start + cell, agent));
        return cells.value(place.start + cell);
    }

    private void write(Place place, int cell, int value, Agent agent) {
        machine.report().add(cells(place).write(place.start + cell, value, agent));
    }

    /** The block itself, or the proxy of the channel of operand {@code k}, which then knows what the block can tell. */
    private Agent mover(int k) {
        if (!port) {
            return block.agent();
        }
        int id = data.channelIds().get(Math.min(k, data.channelIds().size() - 1));
        Agent proxy = machine.signaller(rank, block, ChannelType.PORT, id);
        proxy.hear(block.agent().tell());
        proxy.meet();
        return proxy;
    }

    private void begin(Agent agent) {
        agent.begin(rank.launch, block.position(), block.inner());
        machine.report().remember(agent, block);
    }

    private void move() {
        if (!port) {
            begin(block.agent());
        }
        for (int k = 0; k < data.destinations().size(); k++) {
            Place source = local(data.sources().get(k));
            Place destination = local(data.destinations().get(k));
            Agent agent = mover(k);
            if (port) {
                begin(agent);
            }
            requireNoShift(List.of(source), destination);
            for (int cell = 0; cell < length; cell++) {
                write(destination, cell, read(source, cell, agent), agent);
            }
            if (port) {
                agent.meet(); // the channel moves one thing after the other
            }
        }
    }

    private void reduce() {
        Agent agent = block.agent();
        begin(agent);
        List<Place> sources = data.sources().stream().map(this::local).toList();
        List<Place> destinations = data.destinations().stream().map(this::local).toList();
        destinations.forEach(destination -> requireNoShift(sources, destination));
        for (int cell = 0; cell < length; cell++) {
            int value = read(sources.getFirst(), cell, agent);
            for (Place source : sources.subList(1, sources.size())) {
                value = machine.values().reduce(value, read(source, cell, agent));
            }
            for (Place destination : destinations) {
                write(destination, cell, value, agent);
            }
        }
    }

    private void throughSwitch() {
        Agent agent = block.agent();
        begin(agent);
        List<Place> sources = everywhere(data.sources().getFirst());
        List<Place> destinations = everywhere(data.destinations().getFirst());
        destinations.forEach(destination -> requireNoShift(sources, destination));
        for (int cell = 0; cell < length; cell++) {
            int value = read(sources.getFirst(), cell, agent);
            for (Place source : sources.subList(1, sources.size())) {
                value = machine.values().reduce(value, read(source, cell, agent));
            }
            for (Place destination : destinations) {
                write(destination, cell, value, agent);
            }
        }
    }

    /** The threads of an operation go in no order: one element's write must not meet another element's read. */
    private void requireNoShift(List<Place> sources, Place destination) {
        for (Place source : sources) {
            boolean oneMemory = cells(source) == cells(destination);
            int distance = Math.abs(source.start - destination.start);
            if (oneMemory && distance > 0 && distance < length) {
                machine.report().overlap(block);
            }
        }
    }

    /** Packets that it waits for. */
    private List<ChunkRef> packetSources() {
        return switch (data.kind()) {
            case READ_PUT_PACKETS, UNPACK_PACKETS, SWITCH_STORE_PACKETS -> data.sources();
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                data.sources().subList(1, data.sources().size());
            default -> List.of();
        };
    }

    private boolean packetsAreThere() {
        for (ChunkRef reference : packetSources()) {
            Place place = local(reference);
            for (int cell = 0; cell < length; cell++) {
                PacketCell packet = packet(place, cell);
                if (packet.launch != rank.launch) {
                    packet.waiting.add(block);
                    block.waitFor("packets in chunk "
                            + (place.start + cell) / machine.scenario().cellsPerChunk() + " of its scratch");
                    return false;
                }
            }
        }
        return true;
    }

    /** Reads a packet that is there; who reads it hears what preceded the writer's launch. */
    private void readPacket(Place place, int cell, Agent agent, Element element) {
        PacketCell packet = packet(place, cell);
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
        Cells cells = cells(place);
        ElementRead read = new ElementRead(agent.index(), agent.step());
        machine.report().add(cells.read(place.start + cell, agent, read));
        element.read(read);
        return cells.value(place.start + cell);
    }

    private void writePacket(Place place, int cell, int value, List<ElementRead> sources, Agent agent) {
        PacketCell packet = packet(place, cell);
        if (packet.launch == rank.launch && packet.value == value) {
            return; // again with equal bytes
        }
        machine.report().add(packet.isWritten() ? overtakes(packet, place, cell, agent) : null);
        packet.value = value;
        packet.launch = rank.launch;
        packet.writer = agent.index();
        packet.step = agent.step();
        packet.begin = rank.begin;
        packet.told = agent.tell();
        packet.sources = sources;
        packet.readers = new ArrayList<>();
        machine.wake(packet.waiting);
    }

    /** A packet may be overwritten when all who read it have; if nobody did, when it is known to be there. */
    private @Nullable Conflict overtakes(PacketCell packet, Place place, int cell, Agent agent) {
        int where = place.start + cell;
        for (ElementRead read : packet.readers) {
            if (!read.isKnownTo(agent)) {
                return new Conflict(
                        place.owner.plan.rank(),
                        "s",
                        where,
                        read.agent(),
                        read.step(),
                        false,
                        agent.index(),
                        agent.step(),
                        true);
            }
        }
        if (packet.readers.isEmpty() && !agent.knowsWrite(packet.writer, packet.step)) {
            return new Conflict(
                    place.owner.plan.rank(),
                    "s",
                    where,
                    packet.writer,
                    packet.step,
                    true,
                    agent.index(),
                    agent.step(),
                    true);
        }
        return null;
    }

    private void movePackets() {
        if (!port) {
            begin(block.agent());
        }
        for (int k = 0; k < data.destinations().size(); k++) {
            Place source = local(data.sources().get(Math.min(k, data.sources().size() - 1)));
            Agent agent = mover(k);
            if (port) {
                begin(agent);
            }
            boolean fromPackets = port || (data.kind() != DataKind.PUT_PACKETS && data.kind() != DataKind.COPY_PACKETS);
            for (Place destination : everywhere(data.destinations().get(k))) {
                for (int cell = 0; cell < length; cell++) {
                    movePacket(source, destination, cell, agent, fromPackets);
                }
            }
            if (port) {
                agent.meet();
            }
        }
    }

    private void movePacket(Place source, Place destination, int cell, Agent agent, boolean fromPackets) {
        Element element = new Element();
        agent.compute(element);
        if (!fromPackets) {
            int value = readPlain(source, cell, agent, element);
            writePacket(destination, cell, value, element.reads(), agent);
        } else {
            PacketCell packet = packet(source, cell);
            if (packet.launch == rank.launch && isKnown(packet, agent)) { // a proxy copies also what is no packet yet
                readPacket(source, cell, agent, element);
                writePacket(destination, cell, packet.value, element.reads(), agent);
            }
        }
        agent.compute(null);
    }

    /** A block validates what it reads; a proxy only copies, and must know that it is there, or be told by a block that has validated it. */
    private boolean isKnown(PacketCell packet, Agent agent) {
        return agent == block.agent()
                || data.kind() == DataKind.READ_PUT_PACKETS
                || agent.knowsWrite(packet.writer, packet.step);
    }

    private void unpack() {
        Agent agent = block.agent();
        begin(agent);
        Place source = local(data.sources().getFirst());
        Place destination = local(data.destinations().getFirst());
        for (int cell = 0; cell < length; cell++) {
            Element element = new Element();
            agent.compute(element);
            readPacket(source, cell, agent, element);
            write(destination, cell, packet(source, cell).value, agent);
        }
        agent.compute(null);
    }

    private void reducePackets() {
        Agent agent = block.agent();
        begin(agent);
        List<Place> packets = packetSources().stream().map(this::local).toList();
        Place plain = local(data.sources().getFirst());
        List<Place> destinations = data.destinations().stream().map(this::local).toList();
        for (int cell = 0; cell < length; cell++) {
            Element element = new Element();
            agent.compute(element);
            int value = Values.NOTHING;
            for (int k = 0; k < packets.size(); k++) {
                Place place = packets.get(k);
                readPacket(place, cell, agent, element);
                int next = packet(place, cell).value;
                value = k == 0 ? next : machine.values().reduce(value, next);
            }
            value = machine.values().reduce(value, readPlain(plain, cell, agent, element));
            write(destinations.getFirst(), cell, value, agent);
            for (Place destination : destinations.subList(1, destinations.size())) {
                writePacket(destination, cell, value, element.reads(), agent);
            }
        }
        agent.compute(null);
    }
}

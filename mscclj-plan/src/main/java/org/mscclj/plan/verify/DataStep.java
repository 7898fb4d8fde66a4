package org.mscclj.plan.verify;

import java.util.Arrays;
import java.util.List;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.verify.Operands.Place;

/** One data operation of one block: which cells it reads and writes, and what it computes. */
final class DataStep {
    private final Machine machine;
    private final RankRun rank;
    private final Block block;
    private final Operation.Data data;
    private final Operands operands;
    private final boolean port;

    DataStep(Machine machine, RankRun rank, Block block, Operation.Data data) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.data = data;
        this.operands = new Operands(machine, rank, block, data);
        this.port = data.byPort();
    }

    /** Does it; false if it has to wait for packets. */
    boolean perform() {
        PacketMoves packets = new PacketMoves(machine, rank, block, data, operands);
        if (!packets.areThere()) {
            return false;
        }
        switch (data.kind()) {
            case PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH, GET, COPY, SWITCH_STORE -> move();
            case REDUCE, REDUCE_SEND, READ_REDUCE, READ_REDUCE_SEND, SWITCH_REDUCE_STORE -> reduce();
            case COPY_PACKETS, PUT_PACKETS, READ_PUT_PACKETS, SWITCH_STORE_PACKETS -> move(packets);
            case UNPACK_PACKETS -> packets.unpack(begin(block.agent()));
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                packets.reduce(begin(block.agent()));
        }
        if (data.kind().signals() && !hasOwnChannels()) {
            signal(data.channelIds().getFirst());
        }
        return true;
    }

    /** Whether each destination has a channel of its own, which then signals for it. */
    private boolean hasOwnChannels() {
        return data.channelIds().size() == data.destinations().size();
    }

    /** Signals what was put. */
    private void signal(int id) {
        machine.signal(rank, block, block.ends(ChannelType.PORT), id, false);
        if (data.kind().flushes()) {
            machine.flush(block, id);
        }
    }

    private Agent begin(Agent agent) {
        agent.begin(rank.launch(), block.cursor().position(), block.cursor().inner());
        machine.report().remember(agent, block);
        return agent;
    }

    /** The proxy of the channel of operand {@code k}, which then knows what the block can tell. */
    private Agent proxy(int k) {
        int id = data.channelIds().get(data.channelOf(k));
        Agent proxy = block.ends(ChannelType.PORT).signaller(id);
        proxy.hear(block.agent().tell());
        proxy.meet();
        return begin(proxy);
    }

    /** One thing after the other, by the block itself or, over port channels, by their proxies. */
    private void move() {
        Agent own = port ? null : begin(block.agent());
        for (int k = 0; k < data.destinations().size(); k++) {
            Agent agent = own == null ? proxy(k) : own;
            Place source = operands.source(k);
            List<Place> destinations = operands.places(data.destinations().get(k));
            destinations.forEach(destination -> operands.requireNoShift(List.of(source), destination));
            for (int cell = 0; cell < source.length(); cell++) {
                if (operands.cells(source).isWrittenBy(source.start() + cell, agent)) {
                    operands.meetsItself(source, cell, false);
                }
                int value = read(source, cell, agent);
                for (Place destination : destinations) {
                    if (k > 0
                            && !isSame(source, destination)
                            && operands.cells(destination).isReadBy(destination.start() + cell, agent)) {
                        operands.meetsItself(destination, cell, false);
                    }
                    write(destination, cell, value, agent);
                }
            }
            if (port) {
                agent.meet(); // the channel moves one thing after the other
            }
            if (data.kind().signals() && hasOwnChannels()) {
                signal(data.channelIds().get(data.channelOf(k)));
            }
        }
    }

    private void move(PacketMoves packets) {
        Agent own = port ? null : begin(block.agent());
        for (int k = 0; k < data.destinations().size(); k++) {
            Agent agent = own == null ? proxy(k) : own;
            packets.move(k, agent);
            if (port) {
                agent.meet();
            }
        }
    }

    /** Combines all sources, of which a switch channel has one on each member, and stores the result everywhere. */
    private void reduce() {
        Agent agent = begin(block.agent());
        List<Place> sources = operands.places(data.sources());
        List<Place> destinations = operands.places(data.destinations());
        destinations.forEach(destination -> operands.requireNoShift(sources, destination));
        int[] inputs = new int[sources.size()];
        for (int cell = 0; cell < sources.getFirst().length(); cell++) {
            for (int k = 0; k < inputs.length; k++) {
                inputs[k] = read(sources.get(k), cell, agent);
            }
            if (data.kind() == DataKind.SWITCH_REDUCE_STORE) {
                Arrays.sort(inputs); // in an order of the switch's own, the same for whoever asks
            }
            int value = machine.values().reduce(inputs);
            for (Place destination : destinations) {
                write(destination, cell, value, agent);
            }
        }
    }

    private int read(Place place, int cell, Agent agent) {
        Cells cells = operands.cells(place);
        machine.report().add(cells.read(place.start() + cell, agent));
        return cells.value(place.start() + cell);
    }

    private boolean isSame(Place source, Place destination) {
        return operands.cells(source) == operands.cells(destination) && source.start() == destination.start();
    }

    private void write(Place place, int cell, int value, Agent agent) {
        operands.requireOneValue(place, cell, value, agent);
        machine.report().add(operands.cells(place).write(place.start() + cell, value, agent));
    }
}

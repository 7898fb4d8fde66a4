package org.mscclj.analysis.verify.machine;

import java.util.Arrays;
import java.util.List;
import org.mscclj.analysis.verify.machine.SymbolicOperands.CellRange;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/** Executes one data operation of one block: which cells it reads and writes, and which values it computes. */
final class DataStep {
    private final SymbolicMachine machine;
    private final SymbolicRank rank;
    private final Block block;
    private final Operation.Data data;
    private final SymbolicOperands operands;
    private final boolean port;

    DataStep(SymbolicMachine machine, SymbolicRank rank, Block block, Operation.Data data) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.data = data;
        this.operands = new SymbolicOperands(machine, rank, block, data);
        this.port = data.byPort();
    }

    /** Executes the operation; false if it must wait for packets. */
    boolean perform() {
        PacketMoves packets = new PacketMoves(machine, rank, block, data, operands);
        if (!packets.haveArrived()) {
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

    /** Whether each destination has its own channel, whose proxy then signals. */
    private boolean hasOwnChannels() {
        return data.channelIds().size() == data.destinations().size();
    }

    /** Signals that the data of a put has arrived. */
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

    /** The proxy of the channel of operand {@code k}, after it has acquired what the block released. */
    private Agent proxy(int k) {
        int id = data.channelIds().get(data.channelOf(k));
        Agent proxy = block.ends(ChannelType.PORT).signaller(id);
        proxy.acquire(block.agent().release());
        proxy.sync();
        return begin(proxy);
    }

    /** Moves one operand after the other, by the block itself or, over port channels, by their proxies. */
    private void move() {
        Agent own = port ? null : begin(block.agent());
        for (int k = 0; k < data.destinations().size(); k++) {
            Agent agent = own == null ? proxy(k) : own;
            CellRange source = operands.source(k);
            List<CellRange> destinations = operands.ranges(data.destinations().get(k));
            destinations.forEach(destination -> operands.requireNoShift(List.of(source), destination));
            for (int cell = 0; cell < source.length(); cell++) {
                if (operands.cells(source).isWrittenBy(source.start() + cell, agent)) {
                    operands.overlapsItself(source, cell, false);
                }
                int value = read(source, cell, agent);
                for (CellRange destination : destinations) {
                    if (k > 0
                            && !isSame(source, destination)
                            && operands.cells(destination).isReadBy(destination.start() + cell, agent)) {
                        operands.overlapsItself(destination, cell, false);
                    }
                    write(destination, cell, value, agent);
                }
            }
            if (port) {
                agent.sync(); // a port channel moves one request after the other
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
                agent.sync();
            }
        }
    }

    /**
     * Reduces all sources (a multicast source counts once for each member) and stores the result in all destinations.
     */
    private void reduce() {
        Agent agent = begin(block.agent());
        List<CellRange> sources = operands.ranges(data.sources());
        List<CellRange> destinations = operands.ranges(data.destinations());
        destinations.forEach(destination -> operands.requireNoShift(sources, destination));
        int[] inputs = new int[sources.size()];
        for (int cell = 0; cell < sources.getFirst().length(); cell++) {
            for (int k = 0; k < inputs.length; k++) {
                inputs[k] = read(sources.get(k), cell, agent);
            }
            if (data.kind() == DataKind.SWITCH_REDUCE_STORE) {
                Arrays.sort(inputs); // the switch has its own order, the same for every reader
            }
            int value = machine.values().reduce(inputs);
            for (CellRange destination : destinations) {
                write(destination, cell, value, agent);
            }
        }
    }

    private int read(CellRange range, int cell, Agent agent) {
        SymbolicCells cells = operands.cells(range);
        machine.report().add(cells.read(range.start() + cell, agent));
        return cells.value(range.start() + cell);
    }

    private boolean isSame(CellRange source, CellRange destination) {
        return operands.cells(source) == operands.cells(destination) && source.start() == destination.start();
    }

    private void write(CellRange range, int cell, int value, Agent agent) {
        operands.requireOneValue(range, cell, value, agent);
        machine.report().add(operands.cells(range).write(range.start() + cell, value, agent));
    }
}

package org.mscclj.plan.simulate;

import java.util.List;
import org.mscclj.plan.simulate.flow.Usage;
import org.mscclj.plan.simulate.topology.BlockRates;
import org.mscclj.plan.simulate.topology.Network;
import org.mscclj.plan.simulate.topology.Route;

/**
 * What a block does for each byte of an operation: how long that takes it, and which links it uses. A plain copy takes
 * time for what it stores, a reduction for what it reads and for what it stores beyond its first result, packets for
 * what is read and for what is stored.
 */
final class BlockWork {
    /** A packet has as many bytes of flags as of data. */
    private static final double PACKET = 2;

    private final Network network;
    private final int rank;
    private final BlockRates rates;
    private final Usage usage = new Usage();
    private double nanosPerByte;
    private double farthest;
    private boolean reduces;

    /** Whether what it writes next takes time: the first result of a reduction is written by the way. */
    private boolean stored;

    BlockWork(Network network, int rank, BlockRates rates) {
        this.network = network;
        this.rank = rank;
        this.rates = rates;
    }

    /** Bytes per nanosecond, if links allow it. */
    double rate() {
        return 1 / nanosPerByte;
    }

    /** Links used for each byte. */
    Usage usage() {
        network.cores(rank).ifPresent(cores -> usage.add(cores, nanosPerByte * rates.copy()));
        return usage;
    }

    /** Nanoseconds until the first byte from the farthest rank is there. */
    double roundTrip() {
        return 2 * farthest;
    }

    void readLocal(boolean packets, boolean reduced) {
        usage.add(network.memory(rank), packets ? PACKET : 1);
        takeToRead(packets, reduced);
    }

    void readRemote(int owner, boolean reduced) {
        Route route = network.memoryRoute(owner, rank);
        usage.add(network.memory(owner), 1).add(route.links(), 1);
        farthest = Math.max(farthest, route.latency());
        takeToRead(false, reduced);
    }

    private void takeToRead(boolean packets, boolean reduced) {
        if (packets) {
            nanosPerByte += 1 / rates.packets();
        } else if (reduced) {
            nanosPerByte += 1 / rates.reduce();
        }
        reduces |= reduced;
    }

    /** A load that the switch answers with the reduction over all members; without such a switch, loads from each. */
    void reduceThroughSwitch(List<Integer> members) {
        if (!network.topology().fabric().multicast()) {
            members.forEach(member -> {
                if (member == rank) {
                    readLocal(false, true);
                } else {
                    readRemote(member, true);
                }
            });
            return;
        }
        for (int member : members) {
            usage.add(network.memory(member), 1).add(network.towardsSwitch(member), 1);
        }
        usage.add(network.fromSwitch(rank), 1);
        farthest = Math.max(farthest, network.topology().fabric().latency());
        takeToRead(false, true);
    }

    void writeLocal(boolean packets) {
        usage.add(network.memory(rank), packets ? PACKET : 1);
        takeToWrite(packets);
    }

    void writeRemote(int owner, boolean packets) {
        double bytes = packets ? PACKET : 1;
        usage.add(network.memoryRoute(rank, owner).links(), bytes).add(network.memory(owner), bytes);
        takeToWrite(packets);
    }

    /** A store that the switch carries out at all members; without such a switch, stores to each. */
    void storeThroughSwitch(List<Integer> members, boolean packets) {
        stored = true; // nothing is kept on the way
        if (!network.topology().fabric().multicast()) {
            members.forEach(member -> {
                if (member == rank) {
                    writeLocal(packets);
                } else {
                    writeRemote(member, packets);
                }
            });
            return;
        }
        double bytes = packets ? PACKET : 1;
        usage.add(network.towardsSwitch(rank), bytes);
        for (int member : members) {
            usage.add(network.fromSwitch(member), bytes).add(network.memory(member), bytes);
        }
        takeToWrite(packets);
    }

    private void takeToWrite(boolean packets) {
        if (packets) {
            nanosPerByte += 1 / rates.packets();
        } else if (!reduces || stored) {
            nanosPerByte += 1 / rates.copy();
        }
        stored = true;
    }
}

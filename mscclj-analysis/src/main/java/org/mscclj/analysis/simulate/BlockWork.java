package org.mscclj.analysis.simulate;

import java.util.List;
import org.mscclj.analysis.simulate.flow.LinkUsage;
import org.mscclj.analysis.simulate.topology.BlockRates;
import org.mscclj.analysis.simulate.topology.Fabric;
import org.mscclj.analysis.simulate.topology.Network;

/**
 * The time of a block for each byte of an operation, and the links that it uses. The time of a plain copy counts the
 * bytes stored; that of a reduction the bytes read, and the bytes stored beyond the first result; that of packets the
 * bytes read and the bytes stored.
 */
final class BlockWork {
    private final Network network;
    private final int rank;
    private final BlockRates rates;
    private final double bytesOfPackets;
    private final LinkUsage usage = new LinkUsage();
    private double nanosPerByte;
    private double roundTrip;
    private boolean reduces;

    /** Whether the next write takes time: the first result of a reduction is stored at no cost. */
    private boolean stored;

    /**
     * The work of an operation that has yet to be described.
     *
     * @param bytesOfPackets bytes of packets for each byte of their payload
     */
    BlockWork(Network network, int rank, BlockRates rates, double bytesOfPackets) {
        this.network = network;
        this.rank = rank;
        this.rates = rates;
        this.bytesOfPackets = bytesOfPackets;
    }

    /** Bytes per nanosecond if links are no bottleneck. */
    double rate() {
        return 1 / nanosPerByte;
    }

    /** Links used for each byte. */
    LinkUsage usage() {
        network.cores(rank).ifPresent(cores -> usage.add(cores, nanosPerByte * rates.copy()));
        return usage;
    }

    /** Nanoseconds until the first byte of the farthest rank arrives. */
    double roundTrip() {
        return roundTrip;
    }

    void readLocal(boolean packets, boolean reduced) {
        usage.add(network.memory(rank), packets ? bytesOfPackets : 1);
        takeToRead(packets, reduced);
    }

    void readRemote(int owner, boolean reduced) {
        Fabric fabric = network.topology().fabric();
        usage.add(network.memory(owner), 1).add(network.memoryRoute(owner, rank).links(), 1);
        if (fabric.readRequest() > 0) {
            usage.add(network.memoryRoute(rank, owner).links(), fabric.readRequest());
        }
        if (owner != rank) {
            roundTrip = Math.max(roundTrip, fabric.readLatency());
        }
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

    /**
     * Adds a load that the switch answers with the reduction over all members; without a multicast switch, a load from
     * each member.
     */
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
        roundTrip = Math.max(roundTrip, network.topology().fabric().readLatency());
        takeToRead(false, true);
    }

    void writeLocal(boolean packets) {
        usage.add(network.memory(rank), packets ? bytesOfPackets : 1);
        takeToWrite(packets);
    }

    void writeRemote(int owner, boolean packets) {
        double bytes = packets ? bytesOfPackets : 1;
        usage.add(network.memoryRoute(rank, owner).links(), bytes).add(network.memory(owner), bytes);
        takeToWrite(packets);
    }

    /** Adds a store that the switch executes at all members; without a multicast switch, a store to each member. */
    void storeThroughSwitch(List<Integer> members, boolean packets) {
        stored = true; // the result goes through the switch only
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
        double bytes = packets ? bytesOfPackets : 1;
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

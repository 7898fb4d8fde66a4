package org.mscclj.language.program;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Chunk;
import org.mscclj.language.SwitchChannel;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/**
 * An allreduce in one shot by packets that a switch stores at all ranks: each rank sends one packet for each element,
 * whatever the number of its peers. Ranks reduce the packets themselves, in the order of ranks, so all of them get
 * equal bits, and the same ones again.
 *
 * <p>{@link PacketPrograms} explains when the two halves of scratch are free. As in {@link MulticastProgram}, each
 * block is an instance of the program.
 */
final class MulticastPacketProgram {
    private MulticastPacketProgram() {}

    static Plan plan(String name, ProgramSpec spec) {
        Memory memory = Memory.packets(Protocol.LL, 1, spec.ranks() + 1);
        AlgoSpec.Builder algorithm = Programs.algorithm(name, memory, spec).instances(spec.blocks());
        return Programs.build(algorithm, memory, spec, 1, program -> {
            SwitchChannel all = program.switchChannel(MulticastProgram.all(spec), BufferType.SCRATCH);
            return block -> allReduce(block, all.atRank(block.rank()));
        });
    }

    /** Packets of rank r arrive in slot r; slot n holds those that the switch is to store. */
    private static void allReduce(RankBlock block, SwitchChannel.Member multicast) {
        int rank = block.rank();
        Chunk sent = block.scratch(block.ranks());
        block.self().copyPackets(sent, block.input(0), block.share());
        multicast.broadcastPackets(sent, rank, 1, block.id());
        if (block.isBounded() && block.ranks() > 2) { // the switch stores at this rank too
            PacketPrograms.sumPlainLast(block);
            return;
        }
        List<Chunk> arriving = IntStream.range(0, block.ranks())
                .filter(from -> from != rank)
                .mapToObj(block::scratch)
                .toList();
        if (block.ranks() == 2) { // two ranks add in any order
            block.self().reducePackets(block.input(0), arriving, block.output(0), block.share());
        } else {
            block.self().reducePackets(block.input(0), rank, arriving, block.output(0), block.share());
        }
    }
}

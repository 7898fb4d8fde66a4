package org.mscclj.language.program;

import java.util.List;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Chunk;
import org.mscclj.language.pass.FusionLimits;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/**
 * An allreduce in two hops by packets: every rank owns a chunk, to which its peers send their contributions, and sends
 * them the result. One rank computes each element, so all ranks get equal bits.
 *
 * <p>{@link PacketPrograms} explains when the two halves of scratch are free.
 */
final class TwoShotProgram {
    private TwoShotProgram() {}

    /**
     * The plan of a specification.
     *
     * @param protocol a protocol with packets
     */
    static Plan plan(String name, ProgramSpec spec, Protocol protocol) {
        Memory memory = Memory.packets(protocol, spec.ranks(), 2 * spec.ranks());
        // In place, a result replaces the contribution that was sent, and the language would insert a synchronisation
        // of the threads. It is not needed: each element of a result is a packet that its owner has computed from the
        // packet of that element, which was written after the element had been read. But a reduction that is not one
        // operation with all of its puts must be complete before the others.
        boolean cut = spec.bounded() && spec.ranks() > FusionLimits.MSCCLPP.references();
        AlgoSpec.Builder algorithm = Programs.algorithm(name, memory, spec).automaticSync(cut);
        return Programs.build(algorithm, memory, spec, spec.blocks(), _ -> TwoShotProgram::allReduce);
    }

    /** Contributions arrive in slots 0 to n − 1, results in n to 2n − 1. */
    private static void allReduce(RankBlock block) {
        int rank = block.rank();
        int ranks = block.ranks();
        for (int peer : block.peers()) {
            block.memory(peer).putPackets(block.scratchOf(peer, rank), block.input(peer), block.share());
        }
        Chunk result = block.output(rank);
        List<Chunk> contributions = block.peers().stream().map(block::scratch).toList();
        block.self().reducePackets(block.input(rank), contributions, result, block.share());
        for (int peer : block.peers()) {
            block.memory(peer).putPackets(block.scratchOf(peer, ranks + rank), result, block.share());
        }
        for (int peer : block.peers()) {
            block.self().unpackPackets(block.output(peer), block.scratch(ranks + peer), block.share());
        }
    }
}

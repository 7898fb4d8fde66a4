package org.mscclj.language.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;

/**
 * A large broadcast between registered buffers: the root stores a different part into each other rank, which forwards
 * it to the rest. The root's link thus carries the message once, not once for each rank. The message goes in steps, so
 * that ranks forward the parts of one step while those of the next arrive.
 *
 * <p>A relaxed signal says that a rank has launched, and therefore that its output is free. The root signals after each
 * step, the other ranks at the end.
 */
final class RelayProgram {
    private static final int STEPS = 8;

    private RelayProgram() {}

    static Plan plan(String name, ProgramSpec spec) {
        return Programs.build(
                name, Memory.withoutScratch(STEPS * (spec.ranks() - 1)), spec, block -> write(block, spec));
    }

    private static void write(RankBlock block, ProgramSpec spec) {
        if (block.isRoot()) {
            send(block, spec);
        } else {
            forward(block, spec);
        }
    }

    /** The chunk that a rank receives from the root in a step. */
    private static int part(ProgramSpec spec, int step, int rank) {
        int index = Math.floorMod(rank - spec.root() - 1, spec.ranks());
        return step * (spec.ranks() - 1) + index;
    }

    /** Each block begins with a different peer, so that not all blocks send to one peer at once. */
    private static List<Integer> inTurn(RankBlock block, List<Integer> peers) {
        List<Integer> turned = new ArrayList<>(peers);
        Collections.rotate(turned, block.id());
        return turned;
    }

    private static void send(RankBlock block, ProgramSpec spec) {
        List<Integer> peers = inTurn(block, block.peers());
        block.awaitReady(block.peers());
        for (int step = 0; step < STEPS; step++) {
            for (int peer : peers) {
                int part = part(spec, step, peer);
                block.memory(peer).put(block.outputOf(peer, part), block.input(part), block.share());
            }
            block.signal(block.peers());
            for (int peer : peers) {
                int part = part(spec, step, peer);
                block.keep(part, part); // while the links are busy
            }
        }
    }

    private static void forward(RankBlock block, ProgramSpec spec) {
        List<Integer> root = List.of(spec.root());
        List<Integer> others =
                block.peers().stream().filter(peer -> peer != spec.root()).toList();
        block.signalReady(block.peers());
        block.awaitReady(others);
        for (int step = 0; step < STEPS; step++) {
            block.await(root);
            int part = part(spec, step, block.rank());
            for (int peer : inTurn(block, others)) {
                block.memory(peer).put(block.outputOf(peer, part), block.output(part), block.share());
            }
        }
        block.exchangeSignals(others);
    }
}

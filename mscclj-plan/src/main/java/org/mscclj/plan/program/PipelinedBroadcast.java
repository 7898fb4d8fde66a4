package org.mscclj.plan.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.plan.Plan;
import org.mscclj.plan.language.Chunk;
import org.mscclj.plan.language.MemoryChannel;
import org.mscclj.plan.language.ProgramBuilder;
import org.mscclj.plan.language.SyncType;
import org.mscclj.plan.language.ThreadBlockGroup;
import org.mscclj.plan.program.Programs.Memory;

/**
 * A large broadcast between registered buffers: the root's link carries the message once, and not once for each rank. Every other rank reads a part of its own from
 * the root, and the parts of the others from them. Both go on at once, by different blocks, in several steps: while one step's parts are exchanged the
 * next step's are read from the root.
 *
 * <p>The first half of the blocks reads from the root, and the second half from the others; a block of the first half tells the block of the second half with
 * the same share on every other rank what has arrived.
 */
final class PipelinedBroadcast {
    private static final int STEPS = 4;

    /** Fewer blocks, and so smaller messages, are not worth the signals. */
    private static final int LEAST_BLOCKS = 32;

    private final ProgramSpec spec;
    private final int half;
    private final ThreadBlockGroup readers;
    private final ThreadBlockGroup exchangers;
    private final Map<Between, MemoryChannel> channels = new HashMap<>();

    /** The channel of a block to the memory of a peer. */
    private record Between(int rank, int block, int peer) {}

    private PipelinedBroadcast(ProgramSpec spec, ProgramBuilder program) {
        this.spec = spec;
        this.half = spec.blocks() / 2;
        this.readers = ThreadBlockGroup.first(half);
        this.exchangers =
                ThreadBlockGroup.of(IntStream.range(half, 2 * half).boxed().toList());
        for (int rank : receivers()) {
            for (int peer : receivers()) {
                if (rank < peer) {
                    for (int block = 0; block < half; block++) {
                        connect(program, rank, block, peer, half + block);
                        connect(program, rank, half + block, peer, block);
                    }
                }
            }
        }
    }

    /** Whether this is better than that all ranks read everything from the root. */
    static boolean serves(ProgramSpec spec) {
        return spec.ranks() > 2 && spec.blocks() >= LEAST_BLOCKS && spec.blocks() % 2 == 0;
    }

    static Plan plan(String name, ProgramSpec spec) {
        Memory memory = Memory.withoutScratch(STEPS * (spec.ranks() - 1));
        return Programs.build(
                Programs.algorithm(name, memory, spec),
                memory,
                spec,
                spec.blocks(),
                program -> new PipelinedBroadcast(spec, program)::write);
    }

    private void connect(ProgramBuilder program, int rank, int block, int peer, int peerBlock) {
        channels.put(new Between(rank, block, peer), program.memoryChannel(peer, rank));
        channels.put(new Between(peer, peerBlock, rank), program.memoryChannel(rank, peer));
    }

    private List<Integer> receivers() {
        return IntStream.range(0, spec.ranks())
                .filter(rank -> rank != spec.root())
                .boxed()
                .toList();
    }

    private MemoryChannel channel(RankBlock block, int peer) {
        MemoryChannel channel = channels.get(new Between(block.rank(), block.id(), peer));
        if (channel == null) {
            throw new IllegalStateException(
                    "block " + block.id() + " of rank " + block.rank() + " is not connected to rank " + peer);
        }
        return channel;
    }

    /** The chunk that a rank reads from the root in a step. */
    private int part(int step, int rank) {
        int index = Math.floorMod(rank - spec.root() - 1, spec.ranks());
        return step * (spec.ranks() - 1) + index;
    }

    private void write(RankBlock block) {
        if (block.isRoot()) {
            root(block);
        } else if (block.id() < half) {
            read(block);
        } else {
            exchange(block);
        }
    }

    private void root(RankBlock block) {
        boolean isRead = block.id() < half;
        if (isRead) {
            block.tellReady(block.peers());
        }
        for (int chunk = 0; chunk < STEPS * (spec.ranks() - 1); chunk++) {
            block.keep(chunk, chunk);
        }
        if (isRead) {
            block.awaitReady(block.peers());
        }
    }

    private void read(RankBlock block) {
        List<Integer> others = others(block);
        ThreadBlockGroup share = readers.member(block.id());
        block.awaitReady(List.of(spec.root()));
        for (int step = 0; step < STEPS; step++) {
            int part = part(step, block.rank());
            block.memory(spec.root()).get(block.output(part), block.inputOf(spec.root(), part), share);
            block.nop();
            others.forEach(peer -> channel(block, peer).signal(block.id(), SyncType.NONE));
        }
        block.tellReady(List.of(spec.root()));
        others.forEach(peer -> channel(block, peer).relaxedAwait(block.id(), SyncType.NONE));
        block.nop();
    }

    private void exchange(RankBlock block) {
        List<Integer> others = others(block);
        ThreadBlockGroup share = exchangers.member(block.id());
        for (int step = 0; step < STEPS; step++) {
            for (int peer : others) {
                channel(block, peer).await(block.id(), SyncType.NONE);
            }
            block.nop();
            for (int peer : others) {
                Chunk part = block.output(part(step, peer));
                channel(block, peer).get(part, block.outputOf(peer, part(step, peer)), share);
            }
        }
        block.nop();
        others.forEach(peer -> channel(block, peer).relaxedSignal(block.id(), SyncType.NONE));
    }

    private List<Integer> others(RankBlock block) {
        return block.peers().stream().filter(peer -> peer != spec.root()).toList();
    }
}

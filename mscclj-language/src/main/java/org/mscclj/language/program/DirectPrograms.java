package org.mscclj.language.program;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.mscclj.api.type.Collective;
import org.mscclj.language.Chunk;
import org.mscclj.language.program.Programs.BlockGroup;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.Plan;

/**
 * Programs without intermediate copies, for registered buffers: ranks read the inputs of peers, and an allreduce also
 * stores into their outputs.
 *
 * <p>A relaxed signal says that a rank has launched, so its input is visible and its output free. Another signal at the
 * end says that the rank has completed its reads; it is a full signal if the rank has stored into peers.
 */
final class DirectPrograms {
    /**
     * The greatest number of blocks that read where all ranks read from all. This many blocks saturate the links of a
     * GPU, and fewer do not; further blocks copy the rank's own part meanwhile.
     */
    static final int MAX_READERS = 32;

    /** The number of blocks that store where all ranks store to all. More blocks than for reads use the links fully. */
    static final int WRITERS = 64;

    private DirectPrograms() {}

    /** Whether each rank also copies its own part while it reads those of all others. */
    static boolean copiesOwnPart(ProgramSpec spec) {
        boolean readsAll = spec.collective() == Collective.ALLTOALL || spec.collective() == Collective.ALLGATHER;
        return readsAll && !spec.inPlace() && spec.ranks() > 1;
    }

    static Plan plan(String name, ProgramSpec spec) {
        return switch (spec.collective()) {
            case ALLREDUCE -> build(name, spec, spec.ranks(), DirectPrograms::allReduce);
            case REDUCESCATTER -> build(name, spec, 1, DirectPrograms::reduceScatter);
            case ALLGATHER -> readAll(name, spec, _ -> 0);
            case ALLTOALL -> readAll(name, spec, rank -> rank); // out of place: see ShippedProgram
            case BROADCAST -> build(name, spec, 1, DirectPrograms::broadcast);
            case SCATTER -> build(name, spec, 1, DirectPrograms::scatter);
            case REDUCE -> build(name, spec, 1, DirectPrograms::reduce);
            case GATHER -> build(name, spec, 1, DirectPrograms::gather);
            default -> throw new IllegalStateException(name + " of " + spec.collective());
        };
    }

    private static Plan build(String name, ProgramSpec spec, int chunksPerSlice, RankBlock.Writer writer) {
        return Programs.build(name, Memory.withoutScratch(chunksPerSlice), spec, writer);
    }

    /**
     * Each rank reduces its own chunk over all ranks and stores the result at all of them. One rank computes each
     * element, so all ranks get equal bits.
     */
    private static void allReduce(RankBlock block) {
        Chunk result = block.output(block.rank());
        block.signalReady(block.peers());
        block.awaitReady(block.peers());
        reduceEverywhere(block, block.rank(), result);
        for (int peer : block.peers()) {
            block.memory(peer).put(block.outputOf(peer, block.rank()), result, block.share());
        }
        block.exchangeSignals(block.peers());
    }

    private static void reduceScatter(RankBlock block) {
        block.signalReady(block.peers());
        block.awaitReady(block.peers());
        reduceEverywhere(block, block.rank(), block.output(0));
        syncAfterReading(block);
    }

    /** Reduces a chunk over all inputs, that of this rank first. */
    private static void reduceEverywhere(RankBlock block, int chunk, Chunk result) {
        Chunk sum = block.input(chunk);
        for (int peer : block.peers()) {
            block.memory(peer).reduce(sum, List.of(block.inputOf(peer, chunk)), result, block.share());
            sum = result;
        }
    }

    /**
     * Each rank reads one chunk of every input, including its own.
     *
     * @param chunkFor the chunk that a rank reads
     */
    private static Plan readAll(String name, ProgramSpec spec, IntUnaryOperator chunkFor) {
        return withKeepers(
                name,
                spec,
                MAX_READERS,
                chunkFor,
                block -> readAndKeep(block, chunkFor.applyAsInt(block.rank())),
                block -> readFromPeers(block, chunkFor.applyAsInt(block.rank())));
    }

    /**
     * A plan in which blocks beyond a number copy the rank's own part, if it is to be copied.
     *
     * @param most the number of blocks that serve peers, if there are more
     * @param chunkFor the chunk for a rank
     * @param both writes a block that serves peers and copies the own part
     * @param peersAlone writes a block that serves peers
     */
    private static Plan withKeepers(
            String name,
            ProgramSpec spec,
            int most,
            IntUnaryOperator chunkFor,
            RankBlock.Writer both,
            RankBlock.Writer peersAlone) {
        if (!copiesOwnPart(spec) || spec.blocks() <= most) {
            return build(name, spec, 1, both);
        }
        BlockGroup keepers = new BlockGroup(
                spec.blocks() - most, block -> block.keep(chunkFor.applyAsInt(block.rank()), block.rank()));
        return Programs.build(name, Memory.withoutScratch(1), spec, List.of(new BlockGroup(most, peersAlone), keepers));
    }

    /**
     * The plan in which each rank stores a chunk of its input into the output of every rank. Links of GPUs carry more
     * stores than reads, since a read needs a request in the other direction.
     */
    static Plan storeAll(String name, ProgramSpec spec) {
        IntUnaryOperator chunkFor = spec.collective() == Collective.ALLTOALL ? rank -> rank : _ -> 0;
        return withKeepers(
                name,
                spec,
                WRITERS,
                chunkFor,
                block -> {
                    storeToPeers(block, chunkFor);
                    block.keep(chunkFor.applyAsInt(block.rank()), block.rank());
                },
                block -> storeToPeers(block, chunkFor));
    }

    private static void storeToPeers(RankBlock block, IntUnaryOperator chunkFor) {
        block.signalReady(block.peers());
        block.awaitReady(block.peers());
        for (int peer : block.peers()) {
            block.memory(peer)
                    .put(block.outputOf(peer, block.rank()), block.input(chunkFor.applyAsInt(peer)), block.share());
        }
        block.exchangeSignals(block.peers());
    }

    private static void readFromPeers(RankBlock block, int chunk) {
        block.signalReady(block.peers());
        block.awaitReady(block.peers());
        readParts(block, chunk);
        syncAfterReading(block);
    }

    /**
     * Every other block copies the rank's own part before its reads, the others after them, so that the links stay
     * busy.
     */
    private static void readAndKeep(RankBlock block, int chunk) {
        boolean early = block.id() % 2 == 0;
        block.signalReady(block.peers());
        if (early) {
            block.keep(chunk, block.rank());
        }
        block.awaitReady(block.peers());
        readParts(block, chunk);
        block.signalReady(block.peers());
        if (!early) {
            block.keep(chunk, block.rank());
        }
        block.awaitReady(block.peers());
    }

    /** Reads a chunk of every peer's input into the peer's part of the output. */
    private static void readParts(RankBlock block, int chunk) {
        for (int peer : block.peers()) {
            block.memory(peer).get(block.output(peer), block.inputOf(peer, chunk), block.share());
        }
    }

    /** Signals the peers that this rank has completed its reads, and waits for their signals. */
    private static void syncAfterReading(RankBlock block) {
        block.signalReady(block.peers());
        block.awaitReady(block.peers());
    }

    private static void broadcast(RankBlock block) {
        readFromRoot(block, _ -> 0);
    }

    private static void scatter(RankBlock block) {
        readFromRoot(block, rank -> rank);
    }

    private static void readFromRoot(RankBlock block, IntUnaryOperator chunkFor) {
        int chunk = chunkFor.applyAsInt(block.rank());
        if (block.isRoot()) {
            block.signalReady(block.peers());
            block.keep(chunk, 0);
            block.awaitReady(block.peers());
        } else {
            int root = block.root();
            block.awaitReady(List.of(root));
            block.memory(root).get(block.output(0), block.inputOf(root, chunk), block.share());
            block.signalReady(List.of(root));
        }
    }

    private static void reduce(RankBlock block) {
        if (block.isRoot()) {
            block.awaitReady(block.peers());
            reduceEverywhere(block, 0, block.output(0));
            block.signalReady(block.peers());
        } else {
            letRootRead(block);
        }
    }

    private static void gather(RankBlock block) {
        if (block.isRoot()) {
            block.keep(0, block.rank());
            block.awaitReady(block.peers());
            readParts(block, 0);
            block.signalReady(block.peers());
        } else {
            letRootRead(block);
        }
    }

    private static void letRootRead(RankBlock block) {
        List<Integer> root = List.of(block.root());
        block.signalReady(root);
        block.awaitReady(root);
    }
}

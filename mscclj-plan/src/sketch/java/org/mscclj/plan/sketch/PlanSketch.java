package org.mscclj.plan.sketch;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;

/** A plan under construction, in which channels and remote buffers are declared by their use. */
public final class PlanSketch {
    /** The declarations of one rank. */
    static final class RankSketch {
        final int rank;
        final List<Integer> memoryPeers = new ArrayList<>();
        final List<Integer> portPeers = new ArrayList<>();
        final List<SwitchGroup> groups = new ArrayList<>();
        final List<RemoteBuffer> remoteBuffers = new ArrayList<>();
        final List<Integer> semaphores = new ArrayList<>();
        final List<BlockSketch> blocks = new ArrayList<>();
        int moreScratch;

        RankSketch(int rank) {
            this.rank = rank;
        }

        int remoteBuffer(int peer, BufferType buffer, ChannelType type) {
            RemoteBuffer wanted = new RemoteBuffer(peer, buffer, List.of(type));
            int id = remoteBuffers.indexOf(wanted);
            if (id < 0) {
                id = remoteBuffers.size();
                remoteBuffers.add(wanted);
            }
            return id;
        }
    }

    private final String name;
    private final Collective collective;
    private final Protocol protocol;
    private final boolean inPlace;
    private final List<RankSketch> ranks;
    private int inputChunks = 1;
    private int outputChunks = 1;
    private int scratchChunks;
    private boolean doubleScratch;
    private int threadsPerBlock = 1024;
    private int alignment = 16;

    /** A plan without blocks. */
    public PlanSketch(String name, Collective collective, Protocol protocol, boolean inPlace, int worldSize) {
        this.name = name;
        this.collective = collective;
        this.protocol = protocol;
        this.inPlace = inPlace;
        this.ranks = IntStream.range(0, worldSize).mapToObj(RankSketch::new).toList();
    }

    /** Sets the chunks of every rank's buffers. */
    public PlanSketch chunks(int input, int output, int scratch) {
        inputChunks = input;
        outputChunks = output;
        scratchChunks = scratch;
        return this;
    }

    /** Gives scratch two halves. */
    public PlanSketch doubleScratch() {
        doubleScratch = true;
        return this;
    }

    /** Gives a rank more chunks of scratch than the others have. */
    public PlanSketch moreScratch(int rank, int chunks) {
        ranks.get(rank).moreScratch = chunks;
        return this;
    }

    /** Sets the granularity of a chunk, in bytes. */
    public PlanSketch alignment(int bytes) {
        alignment = bytes;
        return this;
    }

    /** Sets the threads of a block on a GPU. */
    public PlanSketch threadsPerBlock(int threads) {
        threadsPerBlock = threads;
        return this;
    }

    /** Adds a block to a rank. */
    public BlockSketch block(int rank) {
        return block(rank, BlockShare.WHOLE);
    }

    /** Adds a block to a rank that handles its share of every operation's range. */
    public BlockSketch block(int rank, BlockShare share) {
        RankSketch sketch = ranks.get(rank);
        BlockSketch block = new BlockSketch(sketch, sketch.blocks.size(), share);
        sketch.blocks.add(block);
        return block;
    }

    /** The plan. */
    public Plan build() {
        return new Plan(
                name,
                collective,
                protocol,
                inPlace,
                false,
                threadsPerBlock,
                doubleScratch,
                alignment,
                0,
                -1,
                ranks.stream().map(this::build).toList());
    }

    private RankPlan build(RankSketch rank) {
        return new RankPlan(
                rank.rank,
                inputChunks,
                outputChunks,
                scratchChunks + rank.moreScratch,
                rank.blocks.stream().map(BlockSketch::build).toList(),
                rank.memoryPeers,
                rank.portPeers,
                rank.groups,
                rank.remoteBuffers,
                rank.semaphores);
    }
}

package org.mscclj.language;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/**
 * The argument of a definition: the ranks of the program, and their shared resources. The order of calls matters in two
 * ways. Operations of one block run in the order in which they are recorded; operations of different blocks and ranks
 * are ordered only by signals, semaphores and barriers. And the n-th channel from rank A to B is the partner of the
 * n-th channel from B to A, separately for memory and port channels.
 */
public final class ProgramBuilder {
    private final AlgoSpec spec;
    private final Recorder recorder;

    ProgramBuilder(AlgoSpec spec) {
        this.spec = spec;
        this.recorder = new Recorder(spec);
    }

    /** The specification of the program. */
    public AlgoSpec spec() {
        return spec;
    }

    /** A rank. */
    public Rank rank(int rank) {
        requireRank("rank", rank);
        return new Rank(this, rank);
    }

    /** All ranks, in order. */
    public List<Rank> ranks() {
        return IntStream.range(0, spec.worldSize()).mapToObj(this::rank).toList();
    }

    /**
     * Allocates a range of a rank's scratch that the program does not use otherwise.
     *
     * @param rank rank that owns the scratch
     * @param chunks number of chunks
     */
    public Buffer scratch(int rank, int chunks) {
        requireRank("rank of a scratch buffer", rank);
        int left = Integer.MAX_VALUE / spec.instances() - recorder.rank(rank).chunks(BufferType.SCRATCH);
        if (chunks < 0 || chunks > left) {
            throw misuse("rank " + rank + ", a scratch buffer of " + chunks + " chunks; allowed: 0 to " + left);
        }
        return new Buffer(this, rank, BufferType.SCRATCH, recorder.rank(rank).addScratch(chunks), chunks);
    }

    /**
     * Opens a channel over which {@code source} loads from and stores into the memory of {@code destination}.
     *
     * @param destination the peer
     * @param source the rank that uses it
     */
    public MemoryChannel memoryChannel(int destination, int source) {
        requirePeers("memory channel", destination, source);
        return new MemoryChannel(ChannelEnd.open(this, ChannelType.MEMORY, recorder.rank(source), source, destination));
    }

    /**
     * Opens a channel over which a proxy moves data from {@code source} to {@code destination}.
     *
     * @param destination the peer
     * @param source the rank that uses it
     */
    public PortChannel portChannel(int destination, int source) {
        requirePeers("port channel", destination, source);
        return new PortChannel(ChannelEnd.open(this, ChannelType.PORT, recorder.rank(source), source, destination));
    }

    /**
     * Opens a multicast channel.
     *
     * @param ranks its members, distinct
     * @param buffer buffer of each member that the channel reaches
     */
    public SwitchChannel switchChannel(List<Integer> ranks, BufferType buffer) {
        ranks.forEach(rank -> requireRank("member of a switch channel", rank));
        if (ranks.isEmpty() || ranks.stream().distinct().count() != ranks.size()) {
            throw misuse("a switch channel of ranks " + ranks + "; allowed: one or more distinct ranks");
        }
        return SwitchChannel.open(this, ranks, buffer);
    }

    /**
     * Creates a counting semaphore between the blocks of a rank.
     *
     * @param rank rank that owns the semaphore
     * @param initialValue value at the start of every launch
     */
    public Semaphore semaphore(int rank, int initialValue) {
        requireRank("rank of a semaphore", rank);
        if (initialValue < 0) {
            throw misuse("rank " + rank + ", a semaphore that starts at " + initialValue + "; allowed: 0 or more");
        }
        return new Semaphore(this, rank, recorder.addSemaphore(rank, initialValue));
    }

    /**
     * Records a pipeline: the operations of the body run in iterations, each of which handles {@code unitBytes} of
     * every operation's range. Every block that the body uses runs its own pipeline.
     *
     * @param unitBytes bytes of an iteration, a multiple of 16
     * @param chunks number of chunks of the pipeline
     * @param body records the operations of each iteration; called once. If it throws, the operations recorded before
     *     remain, as outside of pipelines
     */
    public void pipeline(long unitBytes, int chunks, Runnable body) {
        if (unitBytes < 1 || unitBytes % Operation.Pipeline.UNIT != 0 || chunks < 1) {
            throw misuse("a pipeline over " + chunks + " chunks in units of " + unitBytes
                    + " bytes; allowed: 1 chunk or more, and a positive multiple of " + Operation.Pipeline.UNIT
                    + " bytes");
        }
        recorder.beginLoop(unitBytes, chunks);
        try {
            body.run();
            recorder.requireCompleteLoop();
        } finally {
            recorder.endLoop();
        }
    }

    Recorder recorder() {
        return recorder;
    }

    CollectiveProgram build() {
        recorder.requireComplete();
        Plan declared = recorder.declarations();
        return new CollectiveProgram(spec, declared, recorder.steps());
    }

    /** A group of one block. */
    ThreadBlockGroup alone(int rank, int block) {
        return ThreadBlockGroup.of(List.of(recorder.requireBlock(rank, block)));
    }

    private boolean isRank(int rank) {
        return rank >= 0 && rank < spec.worldSize();
    }

    void requireRank(String what, int rank) {
        recorder.requireOpen(what);
        if (!isRank(rank)) {
            throw misuse(what + " is " + rank + "; allowed: 0 to " + (spec.worldSize() - 1));
        }
    }

    private void requirePeers(String what, int destination, int source) {
        if (!isRank(source) || !isRank(destination)) {
            requireRank("source of a " + what, source);
            requireRank("destination of a " + what, destination);
        }
        recorder.requireOpen(what);
        if (source == destination) {
            throw misuse("a " + what + " from rank " + source + " to itself; allowed: two different ranks");
        }
    }

    InvalidArgumentException misuse(String message) {
        return recorder.misuse(message);
    }
}

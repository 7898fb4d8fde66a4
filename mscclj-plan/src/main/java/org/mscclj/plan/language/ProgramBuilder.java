package org.mscclj.plan.language;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/**
 * What a definition is given: the ranks of the program, and what they share. Order counts in two ways. Operations of
 * one block run in the order in which they are said; those of different blocks and ranks are in no order but that of
 * signals, semaphores and barriers. And the first channel from rank A to B is the partner of the first from B to A, the
 * second of the second, for memory and port channels each.
 */
public final class ProgramBuilder {
    private final AlgoSpec spec;
    private final Recorder recorder;

    ProgramBuilder(AlgoSpec spec) {
        this.spec = spec;
        this.recorder = new Recorder(spec);
    }

    /** What the program is defined with. */
    public AlgoSpec spec() {
        return spec;
    }

    /** A rank, from 0. */
    public Rank rank(int rank) {
        requireRank("rank", rank);
        return new Rank(this, rank);
    }

    /** All ranks, in order. */
    public List<Rank> ranks() {
        return IntStream.range(0, spec.worldSize()).mapToObj(this::rank).toList();
    }

    /**
     * A part of a rank's scratch that nothing else in the program uses.
     *
     * @param rank the owner
     * @param chunks its size
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
     * A channel by which {@code source} loads from and stores into the memory of {@code destination}.
     *
     * @param destination the peer
     * @param source the rank that uses it
     */
    public MemoryChannel memoryChannel(int destination, int source) {
        requirePeers("memory channel", destination, source);
        return new MemoryChannel(ChannelEnd.open(this, ChannelType.MEMORY, recorder.rank(source), source, destination));
    }

    /**
     * A channel by which a proxy moves data from {@code source} to {@code destination}.
     *
     * @param destination the peer
     * @param source the rank that uses it
     */
    public PortChannel portChannel(int destination, int source) {
        requirePeers("port channel", destination, source);
        return new PortChannel(ChannelEnd.open(this, ChannelType.PORT, recorder.rank(source), source, destination));
    }

    /**
     * A multicast channel.
     *
     * @param ranks its members, distinct
     * @param buffer which buffer of each it reaches
     */
    public SwitchChannel switchChannel(List<Integer> ranks, BufferType buffer) {
        ranks.forEach(rank -> requireRank("member of a switch channel", rank));
        if (ranks.isEmpty() || ranks.stream().distinct().count() != ranks.size()) {
            throw misuse("a switch channel of ranks " + ranks + "; allowed: one or more distinct ranks");
        }
        return SwitchChannel.open(this, ranks, buffer);
    }

    /**
     * A counting semaphore between the blocks of a rank.
     *
     * @param rank the owner
     * @param initialValue its value at the start of every launch
     */
    public Semaphore semaphore(int rank, int initialValue) {
        requireRank("rank of a semaphore", rank);
        if (initialValue < 0) {
            throw misuse("rank " + rank + ", a semaphore that starts at " + initialValue + "; allowed: 0 or more");
        }
        return new Semaphore(this, rank, recorder.addSemaphore(rank, initialValue));
    }

    /**
     * A pipeline: what the body says is done in iterations, each of which handles {@code unitBytes} of every
     * operation's range. Every block that the body uses runs a pipeline of its own.
     *
     * @param unitBytes bytes of an iteration, a multiple of 16
     * @param chunks how many chunks the pipeline goes through
     * @param body says what is done in each iteration; called once. If it throws an exception, what it has said until
     *     then stays, as outside of pipelines
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

    /** A block that works alone. */
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

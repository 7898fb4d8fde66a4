package org.mscclj.language;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/**
 * A rank of a program: its buffers, and its local operations. Data operations take a block, or a group of blocks that
 * divides the work.
 */
public final class Rank {
    private final ProgramBuilder program;
    private final int id;

    Rank(ProgramBuilder program, int id) {
        this.program = program;
        this.id = id;
    }

    /** The number of the rank, from 0. */
    public int id() {
        return id;
    }

    /** The rank's input. */
    public Buffer input() {
        return new Buffer(
                program, id, BufferType.INPUT, 0, program.spec().collective().inputChunks());
    }

    /** The rank's output. In an in-place program, input and output share memory, and both names are valid. */
    public Buffer output() {
        return new Buffer(
                program, id, BufferType.OUTPUT, 0, program.spec().collective().outputChunks());
    }

    /** Copies a chunk. */
    public void copy(Chunk destination, Chunk source, int block) {
        copy(destination, source, program.alone(id, block));
    }

    /** Like {@link #copy(Chunk, Chunk, int)}, executed by a group. */
    public void copy(Chunk destination, Chunk source, ThreadBlockGroup group) {
        move(operation("copy", group).requirePlain(destination, source), DataKind.COPY, destination, source);
    }

    /** Waits for packets in scratch, and stores their data. */
    public void unpackPackets(Chunk destination, Chunk source, int block) {
        unpackPackets(destination, source, program.alone(id, block));
    }

    /** Like {@link #unpackPackets(Chunk, Chunk, int)}, executed by a group. */
    public void unpackPackets(Chunk destination, Chunk source, ThreadBlockGroup group) {
        DataRecorder move =
                operation("unpackPackets", group).requirePackets(source).requirePlain(destination);
        move(move, DataKind.UNPACK_PACKETS, destination, source);
    }

    /** Writes a plain chunk as packets into scratch. */
    public void copyPackets(Chunk destination, Chunk source, int block) {
        copyPackets(destination, source, program.alone(id, block));
    }

    /** Like {@link #copyPackets(Chunk, Chunk, int)}, executed by a group. */
    public void copyPackets(Chunk destination, Chunk source, ThreadBlockGroup group) {
        DataRecorder move =
                operation("copyPackets", group).requirePackets(destination).requirePlain(source);
        move(move, DataKind.COPY_PACKETS, destination, source);
    }

    private void move(DataRecorder move, DataKind kind, Chunk destination, Chunk source) {
        move.require(id, destination, source)
                .requireApart(destination, source)
                .local(kind, List.of(source.local()), List.of(destination.local()));
    }

    /** Reduces into a chunk: {@code chunk = chunk + others…}, in this order. */
    public void reduce(Chunk chunk, List<Chunk> others, int block) {
        reduce(chunk, others, chunk, program.alone(id, block));
    }

    /** Like {@link #reduce(Chunk, List, int)}, executed by a group. */
    public void reduce(Chunk chunk, List<Chunk> others, ThreadBlockGroup group) {
        reduce(chunk, others, chunk, group);
    }

    /** Reduces: {@code destination = first + others…}, in this order. */
    public void reduce(Chunk first, List<Chunk> others, Chunk destination, int block) {
        reduce(first, others, destination, program.alone(id, block));
    }

    /** Like {@link #reduce(Chunk, List, Chunk, int)}, executed by a group. */
    public void reduce(Chunk first, List<Chunk> others, Chunk destination, ThreadBlockGroup group) {
        DataRecorder reduce = operation("reduce", group).requirePlain(others.toArray(Chunk[]::new));
        reduce(reduce, DataKind.REDUCE, first, others, destination);
    }

    /**
     * Waits for packets and reduces them into a plain chunk, {@code chunk = packets… + chunk}; the plain operand comes
     * last.
     */
    public void reducePackets(Chunk chunk, List<Chunk> packets, int block) {
        reducePackets(chunk, packets, chunk, program.alone(id, block));
    }

    /** Like {@link #reducePackets(Chunk, List, int)}, executed by a group. */
    public void reducePackets(Chunk chunk, List<Chunk> packets, ThreadBlockGroup group) {
        reducePackets(chunk, packets, chunk, group);
    }

    /** Waits for packets and reduces: {@code destination = packets… + plain}. */
    public void reducePackets(Chunk plain, List<Chunk> packets, Chunk destination, int block) {
        reducePackets(plain, packets, destination, program.alone(id, block));
    }

    /** Like {@link #reducePackets(Chunk, List, Chunk, int)}, executed by a group. */
    public void reducePackets(Chunk plain, List<Chunk> packets, Chunk destination, ThreadBlockGroup group) {
        DataRecorder reduce = operation("reducePackets", group).requirePackets(packets.toArray(Chunk[]::new));
        reduce(reduce, DataKind.REDUCE_PACKETS, plain, packets, destination);
    }

    /**
     * Waits for packets and reduces, with the plain operand at a place of its own: {@code destination = packets[0] + …
     * + packets[place - 1] + plain + packets[place] + …}. So ranks whose plain operands differ add in one order.
     * MSCCL++ always adds the plain operand last, so the program needs {@code boundedFusion(false)}.
     *
     * @param place place of the plain operand, from 0 to the number of packets
     */
    public void reducePackets(Chunk plain, int place, List<Chunk> packets, Chunk destination, int block) {
        reducePackets(plain, place, packets, destination, program.alone(id, block));
    }

    /** Like {@link #reducePackets(Chunk, int, List, Chunk, int)}, executed by a group. */
    public void reducePackets(Chunk plain, int place, List<Chunk> packets, Chunk destination, ThreadBlockGroup group) {
        DataRecorder reduce = operation("reducePackets", group)
                .requirePackets(packets.toArray(Chunk[]::new))
                .requirePlace(place, packets);
        reduce(reduce, DataKind.REDUCE_PACKETS, plain, packets, destination, OptionalInt.of(place));
    }

    private void reduce(DataRecorder reduce, DataKind kind, Chunk first, List<Chunk> others, Chunk destination) {
        reduce(reduce, kind, first, others, destination, OptionalInt.empty());
    }

    private void reduce(
            DataRecorder reduce,
            DataKind kind,
            Chunk first,
            List<Chunk> others,
            Chunk destination,
            OptionalInt plainPlace) {
        Chunk[] operands = others.toArray(Chunk[]::new);
        reduce.requireSome(others)
                .require(id, first, destination)
                .require(id, first, operands)
                .requirePlain(first, destination)
                .requireApart(destination, first)
                .requireApart(destination, operands);
        List<ChunkRef> sources = new ArrayList<>(List.of(first.local()));
        others.forEach(other -> sources.add(other.local()));
        reduce.local(kind, sources, List.of(destination.local()), plainPlace);
    }

    /**
     * Synchronises blocks of this rank: operations of any of the blocks before the barrier are complete and visible to
     * all of them after it. For one block, it synchronises the block's threads.
     */
    public void barrier(List<Integer> blocks) {
        if (blocks.isEmpty() || blocks.stream().distinct().count() != blocks.size()) {
            throw program.misuse(
                    "rank " + id + ", a barrier of blocks " + blocks + "; allowed: one or more distinct blocks");
        }
        blocks.forEach(block -> program.recorder().requireBlock(id, block));
        barrier(ThreadBlockGroup.of(blocks));
    }

    /**
     * Like {@link #barrier(List)}, for the working blocks of a group. For a {@link ThreadBlockGroup#member member}, the
     * block synchronises with all blocks of the group; every member must record the barrier.
     */
    public void barrier(ThreadBlockGroup group) {
        List<Integer> blocks = group.blocks();
        blocks.forEach(block -> program.recorder().requireBlock(id, block));
        if (blocks.size() == 1) {
            program.recorder().add(id, blocks.getFirst(), new Operation.Nop(), SyncType.NONE);
            return;
        }
        int barrier = program.recorder().rank(id).barrier(blocks);
        for (int block : group.working()) {
            program.recorder().add(id, block, new Operation.Barrier(barrier, blocks.size()), SyncType.NONE);
        }
        if (group.working().size() < blocks.size()) {
            for (int block : group.working()) {
                program.recorder().arrived(id, barrier, blocks, block);
            }
        }
    }

    private DataRecorder operation(String name, ThreadBlockGroup group) {
        return new DataRecorder(program.recorder(), id, group, () -> name);
    }
}

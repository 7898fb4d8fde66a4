package org.mscclj.language;

import java.util.Objects;
import org.mscclj.language.pass.ChunkRange;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;

/** A range of chunks of a rank's buffer in one program. Obtained from a {@link Buffer}. Immutable. */
public final class Chunk {
    private final Recorder program;
    private final int rank;
    private final BufferType buffer;
    private final int index;
    private final int size;

    Chunk(Recorder program, int rank, BufferType buffer, int index, int size) {
        this.program = program;
        this.rank = rank;
        this.buffer = buffer;
        this.index = index;
        this.size = size;
    }

    /** The rank that owns the memory. */
    public int rank() {
        return rank;
    }

    /** The buffer. */
    public BufferType buffer() {
        return buffer;
    }

    /** First chunk of the whole buffer, from 0. */
    public int index() {
        return index;
    }

    /** Number of chunks. */
    public int size() {
        return size;
    }

    /**
     * A range of a number of chunks of the same buffer that starts with this range's first chunk.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the buffer ends before
     */
    public Chunk resized(int chunks) {
        int most = program.rank(rank).chunks(buffer) - index;
        if (chunks < 1 || chunks > most) {
            throw program.misuse(
                    "rank " + rank + ", " + chunks + " chunks from " + this + " on; allowed: 1 to " + most);
        }
        return new Chunk(program, rank, buffer, index, chunks);
    }

    Recorder program() {
        return program;
    }

    ChunkRef.Local local() {
        return new ChunkRef.Local(buffer, index, size);
    }

    /** The range of memory. */
    ChunkRange range(ProgramCollective collective) {
        return ChunkRange.of(
                collective.inPlace(), collective.inputChunks(), collective.outputChunks(), rank, buffer, index, size);
    }

    /** Whether the other object is the same range of the same buffer in the same program. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Chunk chunk
                && program.equals(chunk.program)
                && rank == chunk.rank
                && buffer == chunk.buffer
                && index == chunk.index
                && size == chunk.size;
    }

    @Override
    public int hashCode() {
        return Objects.hash(rank, buffer, index, size);
    }

    /** For example {@code rank 1 s[2..4)}, or {@code rank 1 s[2]} for a single chunk. */
    @Override
    public String toString() {
        return "rank " + rank + " " + buffer.letter() + "[" + index + (size == 1 ? "]" : ".." + (index + size) + ")");
    }
}

package org.mscclj.plan.language;

import java.util.Objects;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.pass.Place;

/** A range of chunks of a rank's buffer, of one program. Taken from a {@link Buffer}. Immutable. */
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

    /** The owner. */
    public int rank() {
        return rank;
    }

    /** Which of its buffers. */
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
     * So many chunks of the same buffer, from this one's first on.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if there are not so many
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

    /** Which memory it is. */
    Place place(ProgramCollective collective) {
        return Place.of(
                collective.inPlace(), collective.inputChunks(), collective.outputChunks(), rank, buffer, index, size);
    }

    /** Whether the other is the same range of the same buffer, in the same program. */
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

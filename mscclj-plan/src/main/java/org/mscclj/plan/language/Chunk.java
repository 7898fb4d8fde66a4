package org.mscclj.plan.language;

import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.pass.Place;

/**
 * A range of chunks of a rank's buffer. Take it from a {@link Buffer}, which checks the range.
 *
 * @param rank the owner
 * @param buffer which of its buffers
 * @param index first chunk of the whole buffer, from 0
 * @param size number of chunks
 */
public record Chunk(int rank, BufferType buffer, int index, int size) {
    ChunkRef.Local local() {
        return new ChunkRef.Local(buffer, index, size);
    }

    /** Which memory it is. */
    Place place(ProgramCollective collective) {
        return Place.of(
                collective.inPlace(), collective.inputChunks(), collective.outputChunks(), rank, buffer, index, size);
    }

    /** For example {@code rank 1 s[2..4)}, or {@code rank 1 s[2]} for a single chunk. */
    @Override
    public String toString() {
        return "rank " + rank + " " + buffer.letter() + "[" + index + (size == 1 ? "]" : ".." + (index + size) + ")");
    }
}

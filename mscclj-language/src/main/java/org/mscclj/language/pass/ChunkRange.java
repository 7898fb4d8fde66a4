package org.mscclj.language.pass;

import java.util.Locale;
import org.mscclj.plan.BufferType;

/**
 * A range of chunks under a unique name. In an in-place program, input and output share memory, which has the name of
 * the larger one.
 *
 * @param rank rank that owns the memory
 * @param memory buffer of that rank
 * @param first first chunk
 * @param end the chunk after the last
 */
public record ChunkRange(int rank, BufferType memory, int first, int end) {
    /**
     * The range of chunks of a buffer.
     *
     * @param inPlace whether input and output share memory
     * @param inputs chunks of the input
     * @param outputs chunks of the output
     * @param rank rank that owns the memory
     * @param buffer buffer in the program
     * @param index first chunk
     * @param size number of chunks
     */
    public static ChunkRange of(
            boolean inPlace, int inputs, int outputs, int rank, BufferType buffer, int index, int size) {
        BufferType memory = buffer;
        int shift = 0;
        if (inPlace && buffer == BufferType.OUTPUT && inputs >= outputs) {
            memory = BufferType.INPUT;
            shift = inputs > outputs ? rank * outputs : 0;
        } else if (inPlace && buffer == BufferType.INPUT && inputs < outputs) {
            memory = BufferType.OUTPUT;
            shift = rank * inputs;
        }
        return new ChunkRange(rank, memory, shift + index, shift + index + size);
    }

    /** For example {@code chunks 0 to 3 of the output of rank 1}. */
    @Override
    public String toString() {
        String chunks = end - first == 1 ? "chunk " + first : "chunks " + first + " to " + (end - 1);
        return chunks + " of the " + memory.name().toLowerCase(Locale.ROOT) + " of rank " + rank;
    }

    /** Whether both ranges have a chunk in common. */
    public boolean overlaps(ChunkRange other) {
        return rank == other.rank && memory == other.memory && first < other.end && other.first < end;
    }

    /**
     * Whether both ranges have chunks in common but are not equal, so that one position of both refers to different
     * elements of the shared memory.
     */
    public boolean overlapsInPart(ChunkRange other) {
        return overlaps(other) && !equals(other);
    }
}

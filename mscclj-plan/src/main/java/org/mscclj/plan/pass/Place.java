package org.mscclj.plan.pass;

import java.util.Locale;
import org.mscclj.plan.BufferType;

/**
 * Chunks of memory by one name. In an in-place program input and output are one memory, which then has the name of the
 * greater one.
 *
 * @param rank the owner
 * @param memory which of its buffers
 * @param first first chunk
 * @param end the chunk after the last
 */
public record Place(int rank, BufferType memory, int first, int end) {
    /**
     * Where chunks of a buffer are.
     *
     * @param inPlace whether input and output are one memory
     * @param inputs chunks of the input
     * @param outputs chunks of the output
     * @param rank the owner
     * @param buffer the buffer that the program names
     * @param index first chunk
     * @param size number of chunks
     */
    public static Place of(boolean inPlace, int inputs, int outputs, int rank, BufferType buffer, int index, int size) {
        BufferType memory = buffer;
        int shift = 0;
        if (inPlace && buffer == BufferType.OUTPUT && inputs >= outputs) {
            memory = BufferType.INPUT;
            shift = inputs > outputs ? rank * outputs : 0;
        } else if (inPlace && buffer == BufferType.INPUT && inputs < outputs) {
            memory = BufferType.OUTPUT;
            shift = rank * inputs;
        }
        return new Place(rank, memory, shift + index, shift + index + size);
    }

    /** For example {@code chunks 0 to 3 of the output of rank 1}. */
    @Override
    public String toString() {
        String chunks = end - first == 1 ? "chunk " + first : "chunks " + first + " to " + (end - 1);
        return chunks + " of the " + memory.name().toLowerCase(Locale.ROOT) + " of rank " + rank;
    }

    /** Whether both have a chunk in common. */
    public boolean overlaps(Place other) {
        return rank == other.rank && memory == other.memory && first < other.end && other.first < end;
    }

    /**
     * Whether both have chunks in common, but not all: element for element, one would hold what is another element of
     * the other.
     */
    public boolean overlapsInPart(Place other) {
        return overlaps(other) && !equals(other);
    }
}

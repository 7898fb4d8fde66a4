package org.mscclj.language;

import org.mscclj.plan.BufferType;

/** A rank's input, output, or allocated range of scratch. Chunks count from 0. */
public final class Buffer {
    private final ProgramBuilder program;
    private final int rank;
    private final BufferType type;
    private final int offset;
    private final int size;

    Buffer(ProgramBuilder program, int rank, BufferType type, int offset, int size) {
        this.program = program;
        this.rank = rank;
        this.type = type;
        this.offset = offset;
        this.size = size;
    }

    /** Number of chunks. */
    public int size() {
        return size;
    }

    /** One chunk. */
    public Chunk chunk(int index) {
        return slice(index, index + 1);
    }

    /** All chunks. */
    public Chunk whole() {
        return slice(0, size);
    }

    /** Chunks {@code from} to {@code to - 1}, at least one. */
    public Chunk slice(int from, int to) {
        if (from < 0 || to <= from || to > size) {
            throw program.misuse("rank " + rank + ", chunks [" + from + ".." + to + ") of buffer " + type.letter()
                    + "; allowed: ranges of one chunk or more within [0.." + size + ")");
        }
        return new Chunk(program.recorder(), rank, type, offset + from, to - from);
    }
}

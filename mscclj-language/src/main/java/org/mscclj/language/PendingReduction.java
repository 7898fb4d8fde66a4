package org.mscclj.language;

/**
 * A reduction through a switch that waits for the broadcast of its result.
 *
 * @param channel the switch channel
 * @param offset first chunk
 * @param size number of chunks
 * @param result destination of the result
 * @param line line of the program
 */
record PendingReduction(SwitchChannel channel, int offset, int size, Chunk result, SourceLine line) {
    /** MSCCL++'s DSL compiles such a reduction into an operation that its own executor does not support. */
    String withoutBroadcast(int rank, int block) {
        return "rank " + rank + ", block " + block + ": the reduction through a switch into " + result
                + " is not followed by the broadcast of this chunk; it is at " + line
                + "; allowed: the two together, which are one operation of the switch";
    }
}

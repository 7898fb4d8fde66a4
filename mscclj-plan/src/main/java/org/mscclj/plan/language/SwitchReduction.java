package org.mscclj.plan.language;

/**
 * A reduction through a switch that waits for the broadcast of its result.
 *
 * @param channel through which channel
 * @param offset first chunk
 * @param size number of chunks
 * @param result where the program wants the result
 * @param line where the program says so
 */
record SwitchReduction(SwitchChannel channel, int offset, int size, Chunk result, SourceLine line) {
    /** MSCCL++'s DSL writes such a reduction as an operation that its own executor does not know. */
    String withoutBroadcast(int rank, int block) {
        return "rank " + rank + ", block " + block + ": the reduction through a switch into " + result
                + " is not followed by the broadcast of this chunk; it is at " + line
                + "; allowed: the two together, which are one operation of the switch";
    }
}

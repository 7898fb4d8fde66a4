package org.mscclj.plan.pass;

import org.mscclj.plan.BufferType;

/**
 * Plain access of one operation to chunks of its own rank.
 *
 * @param buffer which buffer; in an in-place program, the one that holds the other
 * @param first first chunk
 * @param end the chunk after the last
 * @param write whether it writes
 */
record Access(BufferType buffer, int first, int end, boolean write) {
    /** Whether the order of both matters. */
    boolean conflictsWith(Access other) {
        return (write || other.write) && buffer == other.buffer && first < other.end && other.first < end;
    }

    /** Whether both are of the same chunks, so that in a pipeline their iterations keep apart. */
    boolean sameRange(Access other) {
        return buffer == other.buffer && first == other.first && end == other.end;
    }
}

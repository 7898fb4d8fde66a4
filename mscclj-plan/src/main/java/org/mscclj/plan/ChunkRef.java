package org.mscclj.plan;

/**
 * A range of chunks that an operation reads or writes. {@code index} and {@code size} count chunks; {@code size} may be
 * 0.
 */
public sealed interface ChunkRef {
    /** First chunk. */
    int index();

    /** Number of chunks. */
    int size();

    /** Chunks of a buffer of this rank. */
    record Local(BufferType buffer, int index, int size) implements ChunkRef {}

    /**
     * Chunks of a peer's buffer.
     *
     * @param bufferId position in the thread block's list of remote buffers of the operation's channel type
     */
    record Remote(int bufferId, int index, int size) implements ChunkRef {}

    /**
     * The same chunks of every member of a multicast group.
     *
     * @param switchChannelId position in the thread block's list of switch channels
     */
    record Multicast(int switchChannelId, int index, int size) implements ChunkRef {}
}

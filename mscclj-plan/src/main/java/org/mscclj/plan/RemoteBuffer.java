package org.mscclj.plan;

import java.util.List;

/**
 * A peer's buffer that this rank accesses.
 *
 * @param rank the peer
 * @param buffer which of its buffers
 * @param accessTypes through which kinds of channels, in file order
 */
public record RemoteBuffer(int rank, BufferType buffer, List<ChannelType> accessTypes) {
    /** Copies the list. */
    public RemoteBuffer {
        accessTypes = List.copyOf(accessTypes);
    }
}

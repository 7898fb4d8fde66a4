package org.mscclj.plan;

import java.util.List;

/**
 * A peer's buffer that this rank accesses.
 *
 * @param rank the peer
 * @param buffer buffer of the peer
 * @param accessTypes types of channels through which it is accessed, in file order
 */
public record RemoteBuffer(int rank, BufferType buffer, List<ChannelType> accessTypes) {
    /** Copies the list. */
    public RemoteBuffer {
        accessTypes = List.copyOf(accessTypes);
    }
}

package org.mscclj.gpu.mapping;

/** Memory of a peer at addresses of this process. Calls are made in the context of the GPU that it is mapped for. */
public sealed interface PeerRange permits MappedRange, OpenedHandle {
    /** The first address. */
    long address();

    /** Unmaps the memory. Called once. */
    void unmap();
}

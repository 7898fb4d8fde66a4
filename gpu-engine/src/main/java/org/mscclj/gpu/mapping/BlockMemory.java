package org.mscclj.gpu.mapping;

/** The memory of a {@link DeviceBlock}, by the way in which it was allocated. Calls are made in its GPU's context. */
sealed interface BlockMemory permits VirtualBlock, PlainBlock {
    /** The address on its GPU. */
    long address();

    /** The size, in bytes. */
    long bytes();

    /** Frees the memory. Called once. */
    void free();
}

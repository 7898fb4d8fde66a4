package org.mscclj.gpu.memory;

import java.util.Optional;
import org.mscclj.gpu.context.DeviceContext;

/** Where a piece lies in something that peers can map as a whole. */
sealed interface PeerVisible permits DevicePiece, IpcAllocation {
    /** The GPU that the memory is on. */
    DeviceContext context();

    /** Tells what is mapped apart from all else of its kind in this process; never used again. */
    long blockId();

    /** The size of what is mapped. */
    long blockBytes();

    /** Where the piece starts in it, in bytes. */
    long offset();

    /** How other processes find it; empty if they are not to. */
    Optional<Sharing> sharing();
}

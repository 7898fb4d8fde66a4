package org.mscclj.gpu.memory;

import java.util.Optional;
import org.mscclj.gpu.context.DeviceContext;

/** The position of a piece in memory that peers can map as a whole. */
sealed interface PeerVisible permits DevicePiece, IpcAllocation {
    /** The GPU that the memory is on. */
    DeviceContext context();

    /** The id of the mapped memory, unique among its kind in this process; never reused. */
    long blockId();

    /** The size of the mapped memory, in bytes. */
    long blockBytes();

    /** The start of the piece in the mapped memory, in bytes. */
    long offset();

    /** How other processes find the memory; empty if it is not shared with them. */
    Optional<Sharing> sharing();
}

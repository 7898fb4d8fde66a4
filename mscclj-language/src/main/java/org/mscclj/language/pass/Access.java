package org.mscclj.language.pass;

import org.mscclj.plan.BlockShare;

/**
 * The plain access of one operation to chunks of its own rank or of a peer.
 *
 * @param range the chunks
 * @param write whether the access is a write
 * @param share the block's share of the chunks
 * @param whole whether each iteration of a pipeline accesses all of them, as operations on packets do
 */
record Access(ChunkRange range, boolean write, BlockShare share, boolean whole) {
    /** Whether the order of two accesses matters. */
    boolean conflictsWith(Access other) {
        return (write || other.write) && range.overlaps(other.range);
    }

    /** Whether different iterations of a pipeline access different bytes, because each handles its own unit. */
    boolean keepsIterationsApartFrom(Access other) {
        return range.equals(other.range) && share.equals(other.share) && !whole && !other.whole;
    }
}

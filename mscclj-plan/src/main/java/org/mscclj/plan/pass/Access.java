package org.mscclj.plan.pass;

import org.mscclj.plan.BlockShare;

/**
 * Plain access of one operation to chunks of its own rank or of another.
 *
 * @param place which chunks
 * @param write whether it writes
 * @param share the block's share of them
 * @param whole whether all of them are accessed in each iteration of a pipeline, as operations on packets do
 */
record Access(Place place, boolean write, BlockShare share, boolean whole) {
    /** Whether the order of both matters. */
    boolean conflictsWith(Access other) {
        return (write || other.write) && place.overlaps(other.place);
    }

    /** Whether different iterations of a pipeline access different bytes: each those of its own unit. */
    boolean keepsIterationsApartFrom(Access other) {
        return place.equals(other.place) && share.equals(other.share) && !whole && !other.whole;
    }
}

package org.mscclj.objects;

import java.nio.LongBuffer;

/**
 * The data that a rank exchanges before any object is sent, so that a fault on one rank fails the call on all ranks.
 *
 * @param operation number of the {@link ObjectOperation}
 * @param root root of the call; 0 if the operation has none
 * @param limit greatest size of an object that the rank allows, in bytes
 * @param bytes size of the rank's largest object in bytes; 0 if it sends none, {@link #FAILED} if it has failed
 */
record Announcement(long operation, long root, long limit, long bytes) {
    static final int LONGS = 4;
    static final long FAILED = -1;

    void writeTo(LongBuffer words) {
        words.put(operation).put(root).put(limit).put(bytes);
    }

    static Announcement readFrom(LongBuffer words) {
        return new Announcement(words.get(), words.get(), words.get(), words.get());
    }
}

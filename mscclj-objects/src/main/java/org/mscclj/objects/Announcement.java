package org.mscclj.objects;

import java.nio.LongBuffer;

/**
 * What a rank says before any object is sent, so that what is wrong on one rank is everybody's failure.
 *
 * @param operation number of the {@link ObjectOperation}
 * @param root the root that it names; 0 if the operation has none
 * @param limit the greatest size of an object that it allows, in bytes
 * @param bytes the size of its largest object; 0 if it sends none, {@link #FAILED} if it has failed
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

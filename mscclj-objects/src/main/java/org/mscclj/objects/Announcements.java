package org.mscclj.objects;

import java.lang.foreign.MemorySegment;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;

/** Exchanges the announcements of all ranks. */
final class Announcements {
    private static final int BYTES = Announcement.LONGS * Long.BYTES;

    private Announcements() {}

    /** Exchanges announcements; returns those of all ranks, by rank. Collective. */
    static List<Announcement> exchange(Communicator communicator, Announcement own, TimedCalls calls) {
        int ranks = communicator.size();
        LongBuffer mine = LongBuffer.allocate(Announcement.LONGS);
        own.writeTo(mine);
        try (DeviceBuffer all = communicator.device().allocate((long) ranks * BYTES)) {
            DeviceBuffer part = all.slice((long) communicator.rank() * BYTES, BYTES);
            part.copyFrom(MemorySegment.ofArray(mine.array()));
            calls.run(CollectiveCall.allGather(part, all, DataType.INT64));
            long[] words = new long[ranks * Announcement.LONGS];
            all.copyTo(MemorySegment.ofArray(words));
            LongBuffer read = LongBuffer.wrap(words);
            List<Announcement> announced = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                announced.add(Announcement.readFrom(read));
            }
            return announced;
        }
    }
}

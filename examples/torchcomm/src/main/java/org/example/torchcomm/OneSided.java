package org.example.torchcomm;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;

/** Windows: each rank writes into the next one's memory, which takes no part but waits for a signal. */
public final class OneSided {
    private OneSided() {}

    /** One rank; the launcher's environment says which. */
    public static void main(String[] arguments) {
        try (Communicator communicator = Communicator.open();
                DeviceBuffer memory = communicator.device().allocate(Integer.BYTES);
                DeviceBuffer source = communicator.device().allocate(Integer.BYTES);
                Window window = communicator.openWindow(memory)) {
            int next = (communicator.rank() + 1) % communicator.size();
            int previous = (communicator.rank() + communicator.size() - 1) % communicator.size();
            source.copyFrom(MemorySegment.ofArray(new int[] {100 + communicator.rank()}));

            Work put = window.put(source, next, 0);
            if (communicator.size() > 1) { // a rank alone does not signal itself
                window.signal(next); // launched at once, and run in this order
                window.waitSignal(previous).join();
            }
            put.join();

            int[] found = new int[1];
            memory.copyTo(MemorySegment.ofArray(found));
            System.out.println("rank " + communicator.rank() + " was given " + found[0]);
        }
    }
}

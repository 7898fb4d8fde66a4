package org.mscclj.conformance.operation;

import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.device.DeviceBuffer;

/** Every rank puts numbers into the memory of the next, tells it, and waits until they have been looked at. */
final class WindowStep implements Step {
    private final Communicator communicator;
    private final int next;
    private final int previous;
    private final DeviceBuffer memory;
    private final DeviceBuffer source;
    private final Window window;
    private int runs;

    /** Opens the window. Collective. */
    WindowStep(Communicator communicator, int count) {
        int ranks = communicator.size();
        this.communicator = communicator;
        this.next = (communicator.rank() + 1) % ranks;
        this.previous = (communicator.rank() + ranks - 1) % ranks;
        this.memory = communicator.device().allocate((long) count * Integer.BYTES);
        this.source = communicator.device().allocate(memory.byteSize());
        try {
            this.window = communicator.openWindow(memory);
        } catch (RuntimeException | Error e) {
            try (memory;
                    source) {
                throw e;
            }
        }
    }

    @Override
    public void run() {
        int run = runs++;
        Numbers.write(source, i -> Numbers.of(communicator.rank(), i) + run);
        window.put(source, next, 0);
        if (next != communicator.rank()) {
            window.signal(next);
            window.waitSignal(previous).join();
        }
        communicator.stream().synchronize(communicator.timeout());
        Numbers.require("window", memory, i -> Numbers.of(previous, i) + run);
        if (next != communicator.rank()) {
            window.signal(previous); // it may put again
            window.waitSignal(next).join();
        }
    }

    @Override
    public void close() {
        try (source;
                memory) {
            window.close();
        }
    }
}

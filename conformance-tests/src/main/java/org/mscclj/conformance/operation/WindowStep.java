package org.mscclj.conformance.operation;

import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;

/** Every rank puts numbers into the memory of the next, tells it, and waits until they have been looked at. */
final class WindowStep implements Step {
    private final Communicator communicator;
    private final int next;
    private final int previous;
    private final DeviceBuffer memory;
    private final DeviceBuffer source;
    private final Window window;
    private final Making putting;
    private int runs;

    /**
     * Opens the window. Collective.
     *
     * @param replayed whether numbers are put by replays of a graph
     */
    WindowStep(Communicator communicator, int count, boolean replayed) {
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
        try {
            this.putting = replayed ? Form.replaying(communicator, captured()) : eager();
        } catch (RuntimeException | Error e) {
            try (source;
                    memory;
                    window) {
                throw e;
            }
        }
    }

    private boolean isAlone() {
        return next == communicator.rank();
    }

    private Making eager() {
        return new Making() {
            @Override
            public void run() {
                window.put(source, next, 0);
                if (!isAlone()) {
                    window.signal(next);
                    window.waitSignal(previous).join();
                }
                communicator.stream().synchronize(communicator.timeout());
            }

            @Override
            public void close() {
                // nothing is kept
            }
        };
    }

    private Graph captured() {
        Stream stream = communicator.stream();
        try (PreparedOperation put = window.prepare(WindowCall.put(source, next, 0))) {
            if (isAlone()) {
                return stream.capture(() -> put.launch(stream));
            }
            try (PreparedOperation tell = window.prepare(WindowCall.signal(next));
                    PreparedOperation wait = window.prepare(WindowCall.waitSignal(previous))) {
                return stream.capture(() -> {
                    put.launch(stream);
                    tell.launch(stream);
                    wait.launch(stream);
                });
            }
        }
    }

    @Override
    public void run() {
        int run = runs++;
        Numbers.write(source, i -> Numbers.of(communicator.rank(), i) + run);
        putting.run();
        Numbers.require("window", memory, i -> Numbers.of(previous, i) + run);
        if (!isAlone()) {
            window.signal(previous); // it may put again
            window.waitSignal(next).join();
        }
    }

    @Override
    public void close() {
        try (source;
                memory;
                window) {
            putting.close();
        }
    }
}

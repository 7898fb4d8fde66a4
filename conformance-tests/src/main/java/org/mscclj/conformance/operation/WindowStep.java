package org.mscclj.conformance.operation;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Numbers go round all ranks through a window, put or got; each run ends when they have been looked at, so that there
 * is room for others.
 */
final class WindowStep implements Step {
    private final Communicator communicator;

    /** Whose numbers come. */
    private final int from;

    /** Who gets this rank's. */
    private final int to;

    private final boolean gets;
    private final DeviceBuffer memory;
    private final DeviceBuffer own;
    private final Window window;
    private final Making moving;
    private int runs;

    private WindowStep(Communicator communicator, int count, Form form, boolean gets) {
        int ranks = communicator.size();
        this.communicator = communicator;
        this.from = (communicator.rank() + ranks - 1) % ranks;
        this.to = (communicator.rank() + 1) % ranks;
        this.gets = gets;
        this.memory = communicator.device().allocate((long) count * Integer.BYTES);
        this.own = communicator.device().allocate(memory.byteSize());
        try {
            this.window = communicator.openWindow(memory);
        } catch (RuntimeException | Error e) {
            try (memory;
                    own) {
                throw e;
            }
        }
        try {
            this.moving = WindowMaking.of(communicator, window, gets ? getting() : putting(), form);
        } catch (RuntimeException | Error e) {
            try (own;
                    memory;
                    window) {
                throw e;
            }
        }
    }

    /** Every rank puts numbers into the memory of the next, and tells it. Collective. */
    static WindowStep putting(Communicator communicator, int count, Form form) {
        return new WindowStep(communicator, count, form, false);
    }

    /** Every rank has numbers in its memory, tells the next, and that gets them. Collective. */
    static WindowStep getting(Communicator communicator, int count, Form form) {
        return new WindowStep(communicator, count, form, true);
    }

    private boolean isAlone() {
        return to == communicator.rank();
    }

    private List<WindowCall> putting() {
        List<WindowCall> calls = new ArrayList<>(List.of(WindowCall.put(own, to, 0)));
        if (!isAlone()) {
            calls.addAll(List.of(WindowCall.signal(to), WindowCall.waitSignal(from)));
        }
        return calls;
    }

    private List<WindowCall> getting() {
        List<WindowCall> calls = new ArrayList<>();
        if (!isAlone()) {
            calls.addAll(List.of(WindowCall.signal(to), WindowCall.waitSignal(from)));
        }
        calls.add(WindowCall.get(from, 0, own));
        return calls;
    }

    @Override
    public void run() {
        int run = runs++;
        Numbers.write(gets ? memory : own, i -> Numbers.of(communicator.rank(), i) + run);
        moving.run();
        Numbers.require("window", gets ? own : memory, i -> Numbers.of(from, i) + run);
        if (!isAlone()) {
            window.signal(from); // its numbers have been looked at
            window.waitSignal(to).join();
        }
    }

    @Override
    public void close() {
        try (own;
                memory;
                window) {
            moving.close();
        }
    }
}

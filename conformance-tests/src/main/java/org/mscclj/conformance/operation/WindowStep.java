package org.mscclj.conformance.operation;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Passes integers around all ranks through a window, by put or by get. Each run ends after the ranks have checked their
 * integers, so that the next run can overwrite them.
 */
final class WindowStep implements Step {
    private final Communicator communicator;

    /** The rank that this rank receives integers from. */
    private final int from;

    /** The rank that receives this rank's integers. */
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

    /**
     * Creates a step in which every rank puts integers into the memory of the next rank, and signals it. Collective.
     */
    static WindowStep putting(Communicator communicator, int count, Form form) {
        return new WindowStep(communicator, count, form, false);
    }

    /**
     * Creates a step in which every rank writes integers to its own memory and signals the next rank. The next rank
     * then gets them. Collective.
     */
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
            window.signal(from); // its integers have been checked
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

package org.mscclj.gpu.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.gpu.stream.GpuStream;

/**
 * The open streams that have had launches. Each stream calls back before it is captured, and once before it closes;
 * then it is removed. The caller holds the lock.
 */
final class UsedStreams {
    private record Use(GpuStream stream, Runnable whenClosed, Runnable whenCaptured) {}

    private final List<Use> uses = new ArrayList<>();
    private final Consumer<GpuStream> closes;
    private final Consumer<GpuStream> isCaptured;

    /**
     * Creates an empty set.
     *
     * @param closes called in the thread that closes a stream, before its handle is gone; it must call {@link #remove}
     * @param isCaptured called in the thread that captures a stream, before the capture begins
     */
    UsedStreams(Consumer<GpuStream> closes, Consumer<GpuStream> isCaptured) {
        this.closes = closes;
        this.isCaptured = isCaptured;
    }

    /** Adds a stream. If it is known already, this does nothing and allocates nothing. */
    void add(GpuStream stream) {
        if (!has(stream)) {
            Use use = new Use(stream, () -> closes.accept(stream), () -> isCaptured.accept(stream));
            uses.add(use);
            stream.beforeClosing(use.whenClosed);
            stream.beforeCapturing(use.whenCaptured);
        }
    }

    /** Whether a stream is known. Allocates nothing. */
    @SuppressWarnings("ReferenceEquality") // the object, since another may have adopted its handle
    boolean has(GpuStream stream) {
        for (int i = uses.size() - 1; i >= 0; i--) { // the latest are searched for most
            if (uses.get(i).stream == stream) {
                return true;
            }
        }
        return false;
    }

    /** Removes a stream that closes. */
    @SuppressWarnings("ReferenceEquality")
    void remove(GpuStream stream) {
        uses.removeIf(use -> use.stream == stream);
    }

    /** Removes all streams; they do not call back any more. */
    void clear() {
        for (Use use : uses) {
            use.stream.forget(use.whenClosed);
            use.stream.forget(use.whenCaptured);
        }
        uses.clear();
    }
}

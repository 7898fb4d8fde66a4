package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.gpu.stream.GpuStream;

/**
 * The streams that somebody has launched on, and that are open. Each says when it is about to be captured, and that it
 * is about to close, once, and is forgotten then. The caller locks.
 */
final class UsedStreams {
    private record Use(GpuStream stream, Runnable whenClosed, Runnable whenCaptured) {}

    private final List<Use> uses = new ArrayList<>();
    private final Consumer<GpuStream> closes;
    private final Consumer<GpuStream> isCaptured;

    /**
     * None yet.
     *
     * @param closes is told, by whoever closes a stream, before its handle is gone; to call {@link #remove}
     * @param isCaptured is told, by whoever captures a stream, before that begins
     */
    UsedStreams(Consumer<GpuStream> closes, Consumer<GpuStream> isCaptured) {
        this.closes = closes;
        this.isCaptured = isCaptured;
    }

    /** Adds a stream, unless it is known; allocates nothing then. */
    void add(GpuStream stream) {
        if (!has(stream)) {
            Use use = new Use(stream, () -> closes.accept(stream), () -> isCaptured.accept(stream));
            uses.add(use);
            stream.beforeClosing(use.whenClosed);
            stream.beforeCapturing(use.whenCaptured);
        }
    }

    /** Whether a stream is known. Allocates nothing. */
    @SuppressWarnings("ReferenceEquality") // this one, not another that was adopted with its handle
    boolean has(GpuStream stream) {
        for (int i = uses.size() - 1; i >= 0; i--) { // the latest are asked for most
            if (uses.get(i).stream == stream) {
                return true;
            }
        }
        return false;
    }

    /** Forgets a stream that closes. */
    @SuppressWarnings("ReferenceEquality")
    void remove(GpuStream stream) {
        uses.removeIf(use -> use.stream == stream);
    }

    /** Forgets them all, which say nothing any more. */
    void clear() {
        for (Use use : uses) {
            use.stream.forget(use.whenClosed);
            use.stream.forget(use.whenCaptured);
        }
        uses.clear();
    }
}

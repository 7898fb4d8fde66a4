package org.mscclj.backend.cuda.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.backend.cuda.stream.CudaStream;

/** The streams that somebody has launched on, and that are open. Each says that it is about to close, once, and is forgotten. The caller locks. */
final class UsedStreams {
    private record Use(CudaStream stream, Runnable whenClosed) {}

    private final List<Use> uses = new ArrayList<>();
    private final Consumer<CudaStream> closes;

    /**
     * None yet.
     *
     * @param closes is told, by whoever closes a stream, before its handle is gone; to call {@link #remove}
     */
    UsedStreams(Consumer<CudaStream> closes) {
        this.closes = closes;
    }

    /** Adds a stream, unless it is known; allocates nothing then. */
    void add(CudaStream stream) {
        if (!has(stream)) {
            Use use = new Use(stream, () -> closes.accept(stream));
            uses.add(use);
            stream.beforeClosing(use.whenClosed);
        }
    }

    /** Whether a stream is known. Allocates nothing. */
    @SuppressWarnings("ReferenceEquality") // this one, not another that was adopted with its handle
    boolean has(CudaStream stream) {
        for (int i = uses.size() - 1; i >= 0; i--) { // the latest are asked for most
            if (uses.get(i).stream == stream) {
                return true;
            }
        }
        return false;
    }

    /** Forgets a stream that closes. */
    @SuppressWarnings("ReferenceEquality")
    void remove(CudaStream stream) {
        uses.removeIf(use -> use.stream == stream);
    }

    /** Forgets them all, which say nothing any more. */
    void clear() {
        uses.forEach(use -> use.stream.forget(use.whenClosed));
        uses.clear();
    }
}

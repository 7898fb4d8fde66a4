package org.mscclj.backend.nccl;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mscclj.spi.waiting.Backoff;

/**
 * Examines communicators that have a time limit: whether a call takes too long, and whether NCCL reports an error. Its
 * thread runs while there is such a communicator.
 */
final class CallWatch {
    private static final System.Logger LOGGER = System.getLogger(CallWatch.class.getName());

    private static final long PERIOD_NANOS = 20_000_000;

    private static final CallWatch INSTANCE = new CallWatch();

    private final Set<NcclHandle> handles = new HashSet<>();
    private @Nullable Thread thread;

    private CallWatch() {}

    /** The watch of this process. */
    static CallWatch instance() {
        return INSTANCE;
    }

    synchronized void add(NcclHandle handle) {
        handles.add(handle);
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("mscclj-nccl-watch").start(this::run);
        }
    }

    synchronized void remove(NcclHandle handle) {
        handles.remove(handle);
    }

    /** Returns the handles to examine; empty if the thread ends. */
    private synchronized List<NcclHandle> watched() {
        if (handles.isEmpty()) {
            thread = null;
        }
        return List.copyOf(handles);
    }

    private void run() {
        for (List<NcclHandle> now = watched(); !now.isEmpty(); now = watched()) {
            now.forEach(CallWatch::examine);
            Backoff.nap(PERIOD_NANOS);
        }
    }

    /** Examines a handle. The watch goes on whatever happens: the other handles rely on it. */
    private static void examine(NcclHandle handle) {
        try {
            handle.examine();
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a communicator of NCCL could not be examined; trying again", e);
        }
    }
}

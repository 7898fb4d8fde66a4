package org.mscclj.gpu.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.posix.NativeSemaphore;

/**
 * Whether a graph, or anything made of it, is alive, whichever software captured it. The graph owns an object whose
 * destruction the driver reports by posting a semaphore. A capture has one such object for all its launches. Safe for
 * use by several threads.
 */
public final class GraphLife {
    private static final ConcurrentMap<CaptureInfo.Key, GraphLife> LIVES = new ConcurrentHashMap<>();

    private final CaptureInfo.Key capture;
    private final NativeSemaphore semaphore;
    private boolean over;

    private GraphLife(CaptureInfo.Key capture, NativeSemaphore semaphore) {
        this.capture = capture;
        this.semaphore = semaphore;
    }

    /** The life of the graph that is being captured. Called in its GPU's context. */
    public static GraphLife of(CaptureInfo capture) {
        return LIVES.computeIfAbsent(capture.key(), key -> begin(capture.driver(), key, capture.graph()));
    }

    /** The life of the graph of a capture, if it was requested before and is not over. */
    static Optional<GraphLife> find(CaptureInfo.Key capture) {
        return Optional.ofNullable(LIVES.get(capture));
    }

    private static GraphLife begin(GpuDriver driver, CaptureInfo.Key capture, long graph) {
        NativeSemaphore semaphore = new NativeSemaphore();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment object = arena.allocate(ValueLayout.JAVA_LONG);
            int created = driver.graphs().createUserObject(object, semaphore.address(), NativeSemaphore.post());
            if (created != DriverErrors.SUCCESS) {
                semaphore.free();
                throw driver.failure(created, "creating an object that a graph keeps");
            }
            long handle = object.get(ValueLayout.JAVA_LONG, 0);
            int given = driver.graphs().giveUserObject(graph, handle);
            if (given != DriverErrors.SUCCESS) {
                int _ = driver.graphs()
                        .releaseUserObject(handle); // the release posts the semaphore, now or later: its memory stays
                throw driver.failure(given, "adding an object to a graph");
            }
            return new GraphLife(capture, semaphore);
        }
    }

    /** Whether the graph cannot be launched any more and no launch of it is at work. */
    public synchronized boolean isOver() {
        if (!over && semaphore.isPosted()) {
            over = true;
            semaphore.free();
            LIVES.remove(capture);
        }
        return over;
    }
}

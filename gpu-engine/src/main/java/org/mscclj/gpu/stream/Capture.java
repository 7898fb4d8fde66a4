package org.mscclj.gpu.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.Graph;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.GpuDriver;

/** Captures the work that one thread enqueues. */
final class Capture {
    /** {@code CU_STREAM_CAPTURE_STATUS_ACTIVE}. */
    private static final int ACTIVE = 1;

    private Capture() {}

    static Graph of(DeviceContext context, long stream, Runnable work) {
        if (context.driver().streams().isCapturing(stream)) {
            throw new InvalidArgumentException("the stream is being captured already; end that capture first");
        }
        begin(context, stream);
        try {
            CapturedLaunches captured = CapturedLaunches.begin(info(context, stream));
            try {
                work.run();
            } finally {
                captured.end();
            }
            return finish(context, stream, captured);
        } catch (RuntimeException | Error e) {
            abandon(context, stream);
            throw e;
        }
    }

    private static void begin(DeviceContext context, long stream) {
        long before = context.enter();
        int result = context.driver().streams().beginCapture(stream);
        context.leave(before);
        context.driver().check(result, "the begin of a capture");
    }

    /** The capture of a stream, which must be in a capture. */
    static CaptureInfo info(DeviceContext context, long stream) {
        GpuDriver driver = context.driver();
        long before = context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment id = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment graph = arena.allocate(ValueLayout.JAVA_LONG);
            driver.check(driver.graphs().captureInfo(stream, status, id, graph), "reading the state of a capture");
            if (status.get(ValueLayout.JAVA_INT, 0) != ACTIVE) {
                throw new InvalidArgumentException(
                        "the capture of this stream is broken by something that was enqueued before; begin another one");
            }
            return new CaptureInfo(driver, id.get(ValueLayout.JAVA_LONG, 0), graph.get(ValueLayout.JAVA_LONG, 0));
        } finally {
            context.leave(before);
        }
    }

    private static Graph finish(DeviceContext context, long stream, CapturedLaunches captured) {
        long before = context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment graph = arena.allocate(ValueLayout.JAVA_LONG);
            context.driver().check(context.driver().streams().endCapture(stream, graph), "the end of a capture");
            return GpuGraph.instantiate(context, graph.get(ValueLayout.JAVA_LONG, 0), stream, captured);
        } finally {
            context.leave(before);
        }
    }

    /**
     * Ends a failed capture, if it has not ended. The driver's result is ignored: the caller needs the original
     * exception.
     */
    private static void abandon(DeviceContext context, long stream) {
        if (!context.driver().streams().isCapturing(stream)) {
            return;
        }
        long before = context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment graph = arena.allocate(ValueLayout.JAVA_LONG);
            if (context.driver().streams().endCapture(stream, graph) == DriverErrors.SUCCESS) {
                int _ = context.driver().graphs().destroy(graph.get(ValueLayout.JAVA_LONG, 0));
            }
        } finally {
            context.leave(before);
        }
    }
}

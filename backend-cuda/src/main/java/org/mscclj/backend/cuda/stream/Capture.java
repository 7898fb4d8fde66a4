package org.mscclj.backend.cuda.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.Graph;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.Graphs;
import org.mscclj.backend.cuda.ffm.Streams;

/** Recording what one thread enqueues. On the calling thread throughout: the driver ties a capture to it. */
final class Capture {
    private Capture() {}

    static Graph of(DeviceContext context, long stream, Runnable work) {
        context.use();
        DriverResult.check(Streams.beginCapture(stream), "cuStreamBeginCapture");
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            abandon(context, stream);
            throw e;
        }
        context.use();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment graph = arena.allocate(ValueLayout.JAVA_LONG);
            DriverResult.check(
                    Streams.endCapture(stream, graph),
                    "cuStreamEndCapture, which ends the recording of what was enqueued,");
            return CudaGraph.instantiate(context, graph.get(ValueLayout.JAVA_LONG, 0), stream);
        }
    }

    /** Ends a capture whose work has thrown; whatever the driver says about it, the exception is what the caller needs. */
    private static void abandon(DeviceContext context, long stream) {
        context.use();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment graph = arena.allocate(ValueLayout.JAVA_LONG);
            if (Streams.endCapture(stream, graph) == DriverResult.SUCCESS) {
                int _ = Graphs.destroy(graph.get(ValueLayout.JAVA_LONG, 0));
            }
        }
    }
}

package org.mscclj.gpu.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.Stream;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.gpu.context.DeviceContext;

/** A graph that other software captures, by calls of its own, and replays without our knowing. */
final class ForeignGraph implements AutoCloseable {
    private final DeviceContext context;
    private final long executable;

    /** Captures what is enqueued on a stream. */
    ForeignGraph(DeviceContext context, Stream stream, Runnable work) {
        this.context = context;
        context.use();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment graph = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment made = arena.allocate(ValueLayout.JAVA_LONG);
            CudaDriver.INSTANCE.check(
                    CudaDriver.INSTANCE.streams().beginCapture(stream.nativeHandle()), "cuStreamBeginCapture");
            work.run();
            CudaDriver.INSTANCE.check(
                    CudaDriver.INSTANCE.streams().endCapture(stream.nativeHandle(), graph), "cuStreamEndCapture");
            CudaDriver.INSTANCE.check(
                    CudaDriver.INSTANCE.graphs().instantiate(made, graph.get(ValueLayout.JAVA_LONG, 0)),
                    "cuGraphInstantiate");
            CudaDriver.INSTANCE.check(
                    CudaDriver.INSTANCE.graphs().destroy(graph.get(ValueLayout.JAVA_LONG, 0)), "cuGraphDestroy");
            this.executable = made.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    void replay(Stream stream) {
        context.use();
        CudaDriver.INSTANCE.check(
                CudaDriver.INSTANCE.graphs().launch(executable, stream.nativeHandle()), "cuGraphLaunch");
    }

    @Override
    public void close() {
        context.use();
        CudaDriver.INSTANCE.check(CudaDriver.INSTANCE.graphs().destroyExecutable(executable), "cuGraphExecDestroy");
    }
}

package org.mscclj.backend.cuda.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.Graphs;

/** Captured work, ready to be launched. The driver carries out launches of the same graph one after the other. */
final class CudaGraph implements Graph {
    private final DeviceContext context;
    private final long executable;
    private boolean closed;

    private CudaGraph(DeviceContext context, long executable) {
        this.context = context;
        this.executable = executable;
    }

    /** Makes a captured graph launchable, and frees the description. */
    static CudaGraph instantiate(DeviceContext context, long graph, long stream) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment executable = arena.allocate(ValueLayout.JAVA_LONG);
            DriverResult.check(Graphs.instantiate(executable, graph), "cuGraphInstantiateWithFlags");
            long made = executable.get(ValueLayout.JAVA_LONG, 0);
            int uploaded = Graphs.upload(made, stream);
            if (uploaded != DriverResult.SUCCESS) {
                int _ = Graphs.destroyExecutable(made);
                throw DriverResult.failure(uploaded, "cuGraphUpload");
            }
            return new CudaGraph(context.share(), made);
        } finally {
            DriverResult.check(Graphs.destroy(graph), "cuGraphDestroy");
        }
    }

    @Override
    public synchronized void launch(Stream stream) {
        if (closed) {
            throw new InvalidArgumentException("the graph is closed; capture another one");
        }
        long handle = CudaStream.of(stream).handle();
        context.use();
        DriverResult.check(Graphs.launch(executable, handle), "cuGraphLaunch");
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try (context) {
                context.run(() -> DriverResult.check(Graphs.destroyExecutable(executable), "cuGraphExecDestroy"));
            }
        }
    }
}

package org.mscclj.runtime.foreign;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.OpenOperations;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.execution.operation.RecordedAs;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ForeignWork;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Makes operations of calls whose work is not this platform's, and keeps those that are open. Used by one thread at a
 * time; any thread may close buffers of the calls.
 */
public final class ForeignOperations {
    private final ExecutionEnvironment environment;
    private final OpenOperations open = new OpenOperations();

    /** Creates an object without operations. */
    public ForeignOperations(ExecutionEnvironment environment) {
        this.environment = environment;
    }

    /** Frees closed operations that only graphs have kept, once the graphs are gone. */
    public void freeForgotten() {
        open.freeForgotten();
    }

    /**
     * Makes an operation of a call. Not collective.
     *
     * @param work enqueues the call
     * @param description describes the call for the recorder
     */
    public PreparedCall bind(
            ForeignLaunches launches,
            CollectiveCall call,
            ForeignWork work,
            Supplier<OperationDescription> description,
            Preparation preparation) {
        open.freeForgotten();
        List<DeviceBuffer> buffers = buffers(call);
        List<AutoCloseable> retained = new ArrayList<>();
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            OpenOperations.retain(environment.device(), buffers, retained);
            PreparedLaunch launch = launches.engine().prepare(work);
            resources.add(launch);
            PreparedCall prepared =
                    new PreparedCall(preparation, environment, launches, launch, RecordedAs.of(description), resources);
            open.add(prepared, launches, resources);
            OpenOperations.handOver(prepared, preparation.hold(), buffers, retained);
            return prepared;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            Resources.closeSuppressing(retained, e);
            throw e;
        }
    }

    /** Returns the buffers that a call reads and writes, a buffer for both once. */
    private static List<DeviceBuffer> buffers(CollectiveCall call) {
        List<DeviceBuffer> buffers = new ArrayList<>(3);
        buffers.add(call.input());
        if (!call.output().equals(call.input())) {
            buffers.add(call.output());
        }
        call.op().memory().ifPresent(buffers::add);
        return buffers;
    }

    /** Closes the operations that are still open. Waits for launches in flight. Graphs keep what they need. */
    void release() {
        open.close();
    }

    /** Closes the operations that are still open. Waits for launches in flight. Replays fail from now on. */
    public void closeOperations() {
        open.closeAll();
    }
}

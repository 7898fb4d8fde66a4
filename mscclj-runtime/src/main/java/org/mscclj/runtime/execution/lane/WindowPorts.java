package org.mscclj.runtime.execution.lane;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.context.PortMemory;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.TransferLanes;

/**
 * Access to a window's memory for ranks on other nodes. The memory is registered with the transports, and this rank's
 * proxy answers the gets of these ranks.
 */
public final class WindowPorts implements AutoCloseable {
    private final TransferLanes lanes;
    private final PortMemory memory;
    private final ProxyAgent proxy;

    private WindowPorts(TransferLanes lanes, PortMemory memory, ProxyAgent proxy) {
        this.lanes = lanes;
        this.memory = memory;
        this.proxy = proxy;
    }

    /** Registers this rank's memory, imports that of other ranks, and begins to answer gets. Collective. */
    static WindowPorts open(
            ExecutionEnvironment environment, TransferLanes lanes, Plan plan, PlanContext context, DeviceBuffer own) {
        ProxyAgent answering = context.ports().answering();
        PortMemory memory = context.ports().share("memory of a window between nodes", own);
        WindowPorts ports = new WindowPorts(lanes, memory, answering);
        try {
            Exchange.gather(environment.control(), Topic.of(TopicKind.WINDOW_GETS), () -> {
                ports.proxy.serve(
                        GetAnswers.of(environment, lanes, plan, context, memory),
                        !context.ports().tellSignals());
                return new byte[0];
            });
            return ports;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(ports), e);
            throw e;
        }
    }

    /**
     * Returns a put to another node.
     *
     * @param address address of the bytes on this rank's device
     * @param offset offset of the destination, in bytes; the range lies inside the peer's memory
     * @throws org.mscclj.api.error.InvalidArgumentException if not enough memory ids are free for the peer's memory
     */
    public RemoteAccess put(int peer, long address, long bytes, long offset) {
        return new RemoteAccess(lanes, true, peer, address, bytes, offset, memory.remoteId(peer));
    }

    /** Returns a get from another node; see {@link #put}. */
    public RemoteAccess get(int peer, long address, long bytes, long offset) {
        return new RemoteAccess(lanes, false, peer, address, bytes, offset, PortMemory.NO_ID);
    }

    /** Stops answering, and ends the registration. Every rank's launches must have ended. */
    @Override
    public void close() {
        Resources.close(List.<AutoCloseable>of(memory, proxy::drain, proxy::stopServing)); // in reverse order
    }
}

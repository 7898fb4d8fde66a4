package org.mscclj.runtime.proxy;

import java.time.Duration;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Parameters of an agent.
 *
 * @param name names the agent's owner in messages, for example "rank 3 of local"
 * @param device the rank's device, on which the ring is allocated and whose work may wait for flushes
 * @param capacity slots of the ring, a power of two
 * @param pushedByDevice whether kernels of the device push into the ring, and not threads
 * @param timeout maximum time for which closing and removing wait for transfers in flight
 * @param abort the communicator's abort word; once it is set, triggers are dropped
 * @param onFault called, by the thread that runs the agent, for a trigger that cannot be carried out
 */
public record ProxyAgentSpec(
        String name,
        BackendDevice device,
        int capacity,
        boolean pushedByDevice,
        Duration timeout,
        AbortFlag abort,
        FaultHandler onFault) {}

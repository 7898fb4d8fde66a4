package org.mscclj.runtime.execution;

import java.time.Duration;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * What execution needs of a communicator, on one rank.
 *
 * @param control how ranks talk
 * @param device the rank's device
 * @param links the rank's transports and proxy
 * @param capabilities what the backend can do
 * @param order the order of the communicator's launches
 * @param abort the communicator's abort word
 * @param timeout of joining without an own one
 * @param options limits, and what is verified
 */
public record ExecutionEnvironment(
        ControlPlane control,
        BackendDevice device,
        RankLinks links,
        Capabilities capabilities,
        LaunchOrder order,
        AbortFlag abort,
        Duration timeout,
        ExecutorOptions options) {
    /** Checks arguments for this rank. */
    public CallArguments arguments() {
        return new CallArguments(control.rank(), control.size(), capabilities);
    }

    /** The same with another timeout. */
    public ExecutionEnvironment withTimeout(Duration changed) {
        return new ExecutionEnvironment(control, device, links, capabilities, order, abort, changed, options);
    }

    /** The same with other options. */
    public ExecutionEnvironment withOptions(ExecutorOptions changed) {
        return new ExecutionEnvironment(control, device, links, capabilities, order, abort, timeout, changed);
    }
}

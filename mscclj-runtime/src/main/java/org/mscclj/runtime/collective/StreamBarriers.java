package org.mscclj.runtime.collective;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.resource.Resources;

/**
 * Barriers of streams, as reductions: each rank sends its contribution when its stream reaches the barrier, and waits
 * for the contributions of all ranks.
 */
final class StreamBarriers implements AutoCloseable {
    private final ExecutionEnvironment environment;

    /** The buffer that barriers reduce, from the first barrier on. Only calls that pass it are barriers. */
    private @Nullable DeviceBuffer token;

    StreamBarriers(ExecutionEnvironment environment) {
        this.environment = environment;
    }

    /** Returns the reduction that implements a barrier. Collective the first time. */
    CollectiveCall reduction(BarrierCall call) {
        DeviceBuffer known = token;
        return CollectiveCall.allReduce(known == null ? setUp(call) : known, DataType.INT32)
                .options(call.options());
    }

    /** Returns whether a call is such a reduction. */
    boolean isBarrier(CollectiveCall call) {
        return token != null && call.input().equals(token);
    }

    private DeviceBuffer setUp(BarrierCall call) {
        DeviceBuffer[] made = new DeviceBuffer[1];
        try (CallScope _ = environment.control().during("", call.options().timeout());
                LaunchWatch _ = new LaunchWatch(environment, () -> "makes its first barrier of streams")) {
            Exchange.gather(environment.control(), Topic.of(TopicKind.STREAM_BARRIER), () -> {
                made[0] = environment.device().allocate(DataType.INT32.byteSize());
                return new byte[0];
            });
        } catch (RuntimeException | Error e) {
            if (made[0] != null) {
                made[0].close();
            }
            throw e;
        }
        token = made[0];
        return made[0];
    }

    @Override
    public void close() {
        DeviceBuffer buffer = token;
        if (buffer != null) {
            Resources.close(List.of(buffer));
        }
    }
}

package org.mscclj.runtime.fallback;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.fallback.FallbackCommunicator;

/**
 * A small call of a collective, which ranks carry out before other calls of it: a library connects ranks at its first
 * call, which waits for other ranks, and which a capture cannot contain.
 */
final class FirstCall implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final FallbackCall call;
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final Stream stream;
    private final List<AutoCloseable> owned;

    private FirstCall(ExecutionEnvironment environment, FallbackCall call, List<AutoCloseable> owned) {
        int ranks = environment.control().size();
        long unit = call.type().byteSize();
        this.environment = environment;
        this.call = call;
        this.owned = owned;
        this.input = environment.device().allocate(unit * call.collective().inputSlices(ranks));
        owned.add(input);
        this.output = environment.device().allocate(unit * call.collective().outputSlices(ranks));
        owned.add(output);
        this.stream = environment.device().createStream();
        owned.add(stream);
    }

    /** Allocates what the call needs. Not collective. */
    static FirstCall allocate(ExecutionEnvironment environment, FallbackCall call) {
        List<AutoCloseable> owned = new ArrayList<>();
        try {
            return new FirstCall(environment, call, owned);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(owned, e);
            throw e;
        }
    }

    /**
     * Carries the call out. Collective. A failure ends the communicator: other ranks may wait on their devices for the
     * call of this rank, and the ranks' calls of the library would no longer match.
     *
     * @param library the name of the library, for messages
     * @param limit the longest time that the call may take
     */
    void run(FallbackCommunicator communicator, String library, Duration limit) {
        try {
            communicator.enqueue(call.collective(), input, output, call.type(), call.op(), call.root(), stream);
            stream.synchronize(limit);
        } catch (RuntimeException | Error e) {
            String why = "rank " + environment.control().rank() + ": the first " + call.collective() + " by " + library
                    + " has failed: " + e.getMessage();
            if (e instanceof OperationTimeoutException late) {
                environment.abort().expire(why, late.missingRanks());
            } else {
                environment.abort().fail(why);
            }
            throw e;
        }
    }

    /** Waits for the call, which an abort ends, and frees what it needs. */
    @Override
    public void close() {
        Resources.close(owned); // last first
    }
}

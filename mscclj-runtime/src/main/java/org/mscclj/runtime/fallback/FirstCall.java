package org.mscclj.runtime.fallback;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.fallback.FallbackCommunicator;

/**
 * A small call of a collective, which ranks carry out before other calls of it: a library connects ranks at its first
 * call, which waits for other ranks, and which a capture cannot contain.
 */
final class FirstCall implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(FirstCall.class.getName());

    /** How long a library may take to end a call of a communicator that has failed; its limit, if that is shorter. */
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    private final ExecutionEnvironment environment;
    private final FallbackCall call;
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final Stream stream;
    private final List<AutoCloseable> owned;

    /** Whether the library's thread uses what this owns. Guarded by this object, as the next fields. */
    private boolean used;

    private boolean closed;
    private Duration longestEnd = LONGEST_END;

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
     * @param limit the longest time that the library may take
     */
    void run(FallbackCommunicator communicator, String library, Duration limit) {
        String what = "the first " + call.collective() + " by " + library;
        synchronized (this) {
            used = true;
            longestEnd = limit.compareTo(LONGEST_END) < 0 ? limit : LONGEST_END;
        }
        try {
            boolean _ = LibraryCall.make(environment, what, () -> carryOut(communicator, limit), _ -> {});
        } catch (RuntimeException | Error e) {
            String why = "rank " + environment.control().rank() + ": " + what + " has failed: " + e.getMessage();
            switch (e) {
                case OperationTimeoutException late -> environment.abort().expire(why, late.missingRanks());
                case BackendException device -> environment.abort().fail(why, device);
                default -> environment.abort().fail(why);
            }
            throw e;
        }
    }

    private boolean carryOut(FallbackCommunicator communicator, Duration limit) {
        try {
            communicator.enqueue(call.collective(), input, output, call.type(), call.op(), call.root(), stream);
            stream.synchronize(limit);
            return true;
        } finally {
            if (isLastUse()) {
                free();
            }
        }
    }

    private synchronized boolean isLastUse() {
        used = false;
        return closed;
    }

    /**
     * Waits for the call, which an abort ends, and frees what it needs; if its thread is still at work, that thread
     * does.
     */
    @Override
    public void close() {
        if (isUnusedNow()) {
            free();
        }
    }

    private synchronized boolean isUnusedNow() {
        boolean first = !closed;
        closed = true;
        return first && !used;
    }

    /** Frees the stream and the buffers, if nothing on the device uses them. */
    private void free() {
        Duration longest;
        synchronized (this) {
            longest = longestEnd;
        }
        try {
            stream.synchronize(longest);
        } catch (OperationTimeoutException e) {
            LOGGER.log(Level.WARNING, "the library does not end a call; its stream and its buffers are left", e);
            return;
        } catch (MsccljException e) { // the device has failed, or the communicator: nothing runs any more
            LOGGER.log(Level.DEBUG, "a call of a library has ended by an error", e);
        }
        Resources.close(owned); // last first
    }
}

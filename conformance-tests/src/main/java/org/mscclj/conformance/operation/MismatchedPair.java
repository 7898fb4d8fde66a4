package org.mscclj.conformance.operation;

import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Two calls that do not match. The pair sets both up and all ranks make both together, so that afterwards no rank
 * compares them unless the communicator compares all calls. Used by one thread.
 */
public final class MismatchedPair implements AutoCloseable {
    private static final int TOGETHER = 2;

    private final Communicator communicator;
    private final DeviceBuffer buffer;
    private final Mismatch.Calls calls;
    private final PreparedOperation right;
    private final PreparedOperation other;

    private MismatchedPair(
            Communicator communicator,
            DeviceBuffer buffer,
            Mismatch.Calls calls,
            PreparedOperation right,
            PreparedOperation other) {
        this.communicator = communicator;
        this.buffer = buffer;
        this.calls = calls;
        this.right = right;
        this.other = other;
    }

    /**
     * Sets two calls up. Collective.
     *
     * @param random in the same state on all ranks
     * @param deviant the rank that will make the other call
     * @throws org.mscclj.api.error.UnsupportedException if such calls are not supported; on all ranks
     */
    public static MismatchedPair open(Communicator communicator, Mismatch mismatch, Random random, int deviant) {
        DeviceBuffer buffer = communicator.allocate(Mismatch.Memory.BYTES);
        try {
            Mismatch.Calls calls = mismatch.calls(
                    new Mismatch.Memory(
                            buffer, communicator.size(), communicator.ranksPerNode(), communicator.rank(), deviant),
                    random);
            PreparedOperation right = calls.right().prepare(communicator);
            try {
                MismatchedPair pair = new MismatchedPair(
                        communicator, buffer, calls, right, calls.other().prepare(communicator));
                pair.makeTogether();
                return pair;
            } catch (RuntimeException | Error e) {
                try (right) {
                    throw e;
                }
            }
        } catch (RuntimeException | Error e) {
            try (buffer) {
                throw e;
            }
        }
    }

    private void makeTogether() {
        for (int i = 0; i < TOGETHER; i++) {
            for (boolean deviates : new boolean[] {false, true}) {
                launch(deviates, true).accept(communicator.timeout());
                launch(deviates, false).accept(communicator.timeout());
            }
        }
    }

    /** Returns the two calls. */
    public Mismatch.Calls calls() {
        return calls;
    }

    /**
     * Launches one of the calls.
     *
     * @param deviates whether to launch the other call
     * @param prepared whether to launch a prepared operation
     * @return waits for the launch, at most for the given time; may be called again after a timeout
     */
    public Consumer<Duration> launch(boolean deviates, boolean prepared) {
        if (prepared) {
            PreparedOperation operation = deviates ? other : right;
            operation.launch();
            return operation::join;
        }
        return (deviates ? calls.other() : calls.right()).execute(communicator)::join;
    }

    /** Frees the operations and the buffer. */
    @Override
    public void close() {
        try (buffer;
                right) {
            other.close();
        }
    }
}

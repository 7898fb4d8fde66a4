package org.mscclj.spi.fallback;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendDevice;

/** Describes a fallback: a library of collectives. */
public interface FallbackProvider extends Provider {
    /** The capabilities that the library declares on this machine. */
    Capabilities capabilities();

    /** Whether the library works on memory of this device. */
    boolean supports(BackendDevice device);

    /**
     * The reason why a communicator that has a limit cannot carry out such a call, with a remedy for the user; empty if
     * it can. Needs no communicator, and allocates nothing where the result is empty. Called when {@link #probe} finds
     * the library.
     *
     * @param op the operation, perhaps without its factor
     * @param inPlace whether input and output share memory
     * @param ranks the number of ranks of the communicator
     */
    Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace, int ranks);

    /**
     * Creates the id with which all ranks open the communicator, for example an ncclUniqueId. Called on the first rank.
     */
    byte[] createId();

    /**
     * Opens the communicator of a rank. Collective: blocks until all ranks have called, each on a platform thread of
     * its own. Nothing ends a call of this communicator that waits for a rank which does not call.
     */
    FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size);

    /**
     * Opens the communicator of a rank like {@link #open(BackendDevice, byte[], int, int)}, with a limit for the time
     * that this call and each later one blocks. A call that exceeds it aborts the communicator.
     *
     * @param limit more than 0
     * @throws org.mscclj.api.error.OperationTimeoutException if not all ranks have called within the limit
     * @throws UnsupportedException if the library's calls cannot be limited
     */
    default FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size, Duration limit) {
        throw new UnsupportedException(name() + " has calls without a limit only; open the communicator without one");
    }
}

package org.mscclj.runtime.bootstrap;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * A key of a store, through which the ranks of one communicator agree on address and secret. The next job replaces what
 * a killed job has left there.
 */
final class StoreRendezvous implements RendezvousPoint {
    private static final String PREFIX = "mscclj/rendezvous/";

    /** How long one request waits in the store, so that ranks need not send requests all the time. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final Store store;
    private final String key;
    private final Runnable beforeRead;

    /**
     * Creates the meeting place of a communicator.
     *
     * @param beforeRead throws if the wait has become pointless
     */
    StoreRendezvous(Store store, String communicator, Runnable beforeRead) {
        this.store = store;
        this.key = PREFIX + communicator;
        this.beforeRead = beforeRead;
    }

    @Override
    public void write(UniqueId id) {
        store.set(key, id.text().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Optional<UniqueId> read() {
        beforeRead.run();
        try {
            return Optional.of(UniqueId.parse(new String(store.get(key, MOMENT), StandardCharsets.UTF_8)));
        } catch (OperationTimeoutException e) {
            return Optional.empty();
        }
    }

    /**
     * Does nothing: another rank 0 may have written in the meantime, and a rank that reads an address without a rank 0
     * reads again.
     */
    @Override
    public void abandon(UniqueId id) {}

    /** Does nothing: stores replace values as a whole. */
    @Override
    public void removeUnfinished() {}

    @Override
    public String advice() {
        return "start rank 0 with the same store, and give the communicator the same name on all ranks";
    }

    @Override
    public void close() {
        store.delete(key);
    }

    @Override
    public String toString() {
        return "key " + key + " of " + store;
    }
}

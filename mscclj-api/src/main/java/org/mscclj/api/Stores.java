package org.mscclj.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.bootstrap.StoreServer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;

/** Opens {@linkplain Store stores}. */
public final class Stores {
    private Stores() {}

    /** A store for the threads of this process, which ends with it. */
    public static Store inProcess() {
        return Platform.instance().createStore();
    }

    /**
     * A store in a folder, for processes of one host, or of several that share the file system. What is stored stays
     * there when all have closed. Needs a file system with atomic renames and with locks (of {@code fcntl}), as local
     * ones and NFS 4 are. Processes that change something take turns; who waits 30 seconds for one that is stopped in
     * its turn gets a {@link org.mscclj.api.error.BackendException}.
     *
     * @param folder made, for this user alone, if it is not there
     * @throws InvalidArgumentException if other users can write to it
     */
    public static Store file(Path folder) {
        Objects.requireNonNull(folder, "folder");
        return Platform.instance().openStore(folder);
    }

    /**
     * The store that a process serves by {@link #serve}. Tries until the server answers.
     *
     * @param timeout how long it tries, now and whenever it needs another connection
     * @throws OperationTimeoutException if the server does not answer in time, or does not know the secret
     */
    public static Store tcp(StoreAddress address, Duration timeout) {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(timeout, "timeout");
        return Platform.instance().openStore(address, timeout);
    }

    /**
     * Starts to serve a store by TCP. Clients prove that they know the secret before anything they say is believed, and
     * so does the server.
     *
     * @param address where; if the port is any, the operating system chooses one
     * @throws UnsupportedException if no port is free
     */
    public static StoreServer serve(StoreAddress address) {
        Objects.requireNonNull(address, "address");
        return Platform.instance().serveStore(address);
    }
}

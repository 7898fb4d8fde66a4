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
     * A store in a folder, for processes of one host, or of several that share the file system. Values stay in the
     * folder when all processes have closed the store. It needs a file system with atomic renames and with locks
     * ({@code fcntl}), such as a local one or NFS 4. Processes take turns at changes; a process that waits 30 seconds
     * for one that is suspended during its turn gets a {@link org.mscclj.api.error.BackendException}.
     *
     * @param folder created, for this user alone, if it does not exist
     * @throws InvalidArgumentException if other users can write to it
     */
    public static Store file(Path folder) {
        Objects.requireNonNull(folder, "folder");
        return Platform.instance().openStore(folder);
    }

    /**
     * The store that a process serves by {@link #serve}. Tries until the server answers.
     *
     * @param timeout the longest time to try, now and whenever the store needs another connection
     * @throws OperationTimeoutException if the server does not answer in time, or does not know the secret
     */
    public static Store tcp(StoreAddress address, Duration timeout) {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(timeout, "timeout");
        return Platform.instance().openStore(address, timeout);
    }

    /**
     * Starts to serve a store by TCP. Clients prove that they know the secret before the server accepts anything else
     * from them, and the server proves it to clients.
     *
     * @param address where; if the port is any, the operating system chooses one
     * @throws UnsupportedException if no port is free
     */
    public static StoreServer serve(StoreAddress address) {
        Objects.requireNonNull(address, "address");
        return Platform.instance().serveStore(address);
    }
}

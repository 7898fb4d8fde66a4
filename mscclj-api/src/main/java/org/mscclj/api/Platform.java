package org.mscclj.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.bootstrap.StoreServer;
import org.mscclj.api.error.UnsupportedException;

/**
 * The installed mscclj runtime. Applications use {@link LocalGroup} and {@link Communicator}, which call it; the
 * runtime module provides it as a service.
 */
public interface Platform {
    /**
     * The version of the installed runtime, for example {@code 0.1.0}; {@code development} where the version is not
     * known.
     */
    String version();

    /** Opens a group of ranks in this JVM; see {@link LocalGroup#open(LocalGroupOptions)}. */
    LocalGroup openLocalGroup(LocalGroupOptions options);

    /** Opens one rank of a group of processes; see {@link Communicator#open(CommunicatorOptions)}. */
    Communicator openCommunicator(CommunicatorOptions options);

    /** Creates a unique id for rank 0 in this process; see {@link UniqueId#create()}. */
    UniqueId createUniqueId();

    /** Creates a future of a work; see {@link Work#toCompletableFuture()}. */
    CompletableFuture<Void> future(Work work);

    /** The faults of this process; see {@link Health#ofProcess()}. */
    Health health();

    /** Creates a store for the threads of this process; see {@link Stores#inProcess}. */
    Store createStore();

    /** Opens a store in a folder; see {@link Stores#file}. */
    Store openStore(Path folder);

    /** Connects to a store that another process serves; see {@link Stores#tcp}. */
    Store openStore(StoreAddress address, Duration timeout);

    /** Serves a store; see {@link Stores#serve}. */
    StoreServer serveStore(StoreAddress address);

    /** The installed device backends, best first, and whether each can be used. */
    List<ProviderStatus> backends();

    /** The installed transports, best first, and whether each can be used. */
    List<ProviderStatus> transports();

    /** The installed sources of multicast for switch channels, best first, and whether each can be used. */
    List<ProviderStatus> multicasts();

    /** The installed fallbacks, best first, and whether each can be used. A fallback is used only if it is named. */
    List<ProviderStatus> fallbacks();

    /**
     * The runtime found by {@link java.util.ServiceLoader}.
     *
     * @throws UnsupportedException if no runtime is installed, or if the installed one cannot be loaded
     */
    static Platform instance() {
        return InstalledPlatform.RUNTIME.find();
    }
}

package org.mscclj.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Health;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Platform;
import org.mscclj.api.ProviderStatus;
import org.mscclj.api.UniqueId;
import org.mscclj.api.Work;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.bootstrap.StoreServer;
import org.mscclj.runtime.bootstrap.ReservedListeners;
import org.mscclj.runtime.environment.EnvironmentCheck;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.health.FaultLog;
import org.mscclj.runtime.local.LocalRanks;
import org.mscclj.runtime.process.RankProcess;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.settings.AbortOnError;
import org.mscclj.runtime.settings.BuildVersion;
import org.mscclj.runtime.store.FileStore;
import org.mscclj.runtime.store.MemoryStore;
import org.mscclj.runtime.store.TcpStore;
import org.mscclj.runtime.store.TcpStoreServer;
import org.mscclj.runtime.work.WorkWatcher;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.spi.fallback.FallbackProvider;
import org.mscclj.spi.multicast.MulticastProvider;
import org.mscclj.spi.transport.TransportProvider;

/** The service through which applications use the runtime. */
public final class RuntimePlatform implements Platform {
    /** Creates the platform. Called by the service loader. */
    public RuntimePlatform() {}

    @Override
    public String version() {
        return BuildVersion.text();
    }

    @Override
    public LocalGroup openLocalGroup(LocalGroupOptions options) {
        EnvironmentCheck.beforeFirstCommunicator(true);
        AbortOnError.tell(System.getenv());
        return LocalRanks.open(
                options,
                ExecutorOptions.of(System.getenv(), options.planVerification(), options.tuning())
                        .withCheck(options.compareCalls())
                        .withRecorder(options.recorderEntries()));
    }

    @Override
    public Communicator openCommunicator(CommunicatorOptions options) {
        EnvironmentCheck.beforeFirstCommunicator(options.rank() == 0);
        AbortOnError.tell(System.getenv());
        return RankProcess.open(
                options,
                ExecutorOptions.of(System.getenv(), options.planVerification(), options.tuning())
                        .withCheck(options.compareCalls())
                        .withRecorder(options.recorderEntries()));
    }

    @Override
    public UniqueId createUniqueId() {
        return ReservedListeners.createUniqueId();
    }

    @Override
    public CompletableFuture<Void> future(Work work) {
        return WorkWatcher.OF_PROCESS.watch(work);
    }

    @Override
    public Health health() {
        return FaultLog.OF_PROCESS.health();
    }

    @Override
    public Store createStore() {
        return new MemoryStore();
    }

    @Override
    public Store openStore(Path folder) {
        return new FileStore(folder);
    }

    @Override
    public Store openStore(StoreAddress address, Duration timeout) {
        return new TcpStore(address, timeout);
    }

    @Override
    public StoreServer serveStore(StoreAddress address) {
        return new TcpStoreServer(address);
    }

    @Override
    public List<ProviderStatus> backends() {
        return ProviderCatalog.installed("backend", BackendProvider.class).statuses();
    }

    @Override
    public List<ProviderStatus> transports() {
        return ProviderCatalog.installed("transport", TransportProvider.class).statuses();
    }

    @Override
    public List<ProviderStatus> multicasts() {
        return ProviderCatalog.installed("multicast", MulticastProvider.class).statuses();
    }

    @Override
    public List<ProviderStatus> fallbacks() {
        return ProviderCatalog.installed("fallback", FallbackProvider.class).statuses();
    }
}

package org.mscclj.runtime.execution.context;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.multicast.MulticastProvider;

/** Ranks without communicators, for tests of what a communicator is made of. */
public final class RankEnvironments implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final BackendProvider provider =
            ProviderCatalog.installed("backend", BackendProvider.class).find(Optional.empty());
    private final AbortFlag abort = new AbortFlag();
    private final Backend backend = provider.open(BackendOptions.threads());
    private final List<BackendDevice> devices;
    private final LocalControlPlane control;
    private final List<MulticastProvider> multicasts;

    /** What one rank does. */
    @FunctionalInterface
    public interface Task {
        void run(ExecutionEnvironment environment) throws Exception;
    }

    public RankEnvironments(int ranks, int ranksPerNode) {
        this(ranks, ranksPerNode, List.of());
    }

    /** Ranks that have providers of multicast. */
    public RankEnvironments(int ranks, int ranksPerNode, List<MulticastProvider> multicasts) {
        this.multicasts = multicasts;
        devices = IntStream.range(0, ranks).mapToObj(backend::openDevice).toList();
        control = new LocalControlPlane(Nodes.blocks(ranks, ranksPerNode), LIMIT, abort);
    }

    /** Runs all ranks side by side, with default options. */
    public void run(Task task) throws Exception {
        run(ExecutorOptions.DEFAULT, task);
    }

    /** Runs all ranks side by side. */
    public void run(ExecutorOptions options, Task task) throws Exception {
        RankThreads.run(devices.size(), rank -> {
            RankLinks links = new RankLinks(
                    "rank " + rank, devices.get(rank), LIMIT, abort, FaultHandler.of(abort), () -> multicasts);
            ExecutionEnvironment environment = new ExecutionEnvironment(
                    control.ofRank(rank),
                    devices.get(rank),
                    links,
                    provider.capabilities(),
                    new LaunchOrder(),
                    abort,
                    LIMIT,
                    options);
            task.run(environment);
            environment.control().barrier(Topic.named("all ranks have done their task"));
            links.stop();
            environment.control().barrier(Topic.named("all proxies have stopped"));
        });
    }

    /** The same environment with another device. */
    public static ExecutionEnvironment withDevice(ExecutionEnvironment real, BackendDevice device) {
        return new ExecutionEnvironment(
                real.control(),
                device,
                real.links(),
                real.capabilities(),
                real.order(),
                real.abort(),
                real.timeout(),
                real.options());
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(List.of(backend));
        all.addAll(devices);
        Resources.close(all);
    }
}

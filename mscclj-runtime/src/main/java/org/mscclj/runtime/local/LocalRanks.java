package org.mscclj.runtime.local;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.communicator.CommunicatorSpec;
import org.mscclj.runtime.communicator.RuntimeCommunicator;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.execution.ExecutionEnvironment;
import org.mscclj.runtime.execution.ExecutorOptions;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/** A group of ranks in this JVM, with a backend of its own. */
public final class LocalRanks implements LocalGroup {
    private final String name;
    private final Backend backend;
    private final AbortFlag abort = new AbortFlag();
    private final LocalControlPlane control;
    private final List<RuntimeCommunicator> communicators = new ArrayList<>();
    private boolean closed;

    private LocalRanks(LocalGroupOptions options, Backend backend) {
        this.name = options.name();
        this.backend = backend;
        this.control = new LocalControlPlane(options.ranks(), options.timeout(), abort);
    }

    /** Opens a group; see {@link LocalGroup#open(LocalGroupOptions)}. */
    public static LocalGroup open(LocalGroupOptions options, ExecutorOptions limits) {
        BackendProvider provider =
                ProviderCatalog.installed("backend", BackendProvider.class).find(options.backend());
        int most = provider.capabilities().maxRanks();
        if (options.ranks() > most) {
            throw InvalidArgumentException.of(
                    "ranks", options.ranks(), "1 to " + most + " on backend " + provider.name());
        }
        LocalRanks group = new LocalRanks(options, provider.open());
        for (int rank = 0; rank < options.ranks(); rank++) {
            group.communicators.add(new RuntimeCommunicator(
                    new CommunicatorSpec(
                            options.name(), options.ranksPerNode(), group.control::wake, group::awaitAllIdle),
                    new ExecutionEnvironment(
                            group.control.ofRank(rank),
                            group.backend.openDevice(rank),
                            provider.capabilities(),
                            new LaunchOrder(),
                            group.abort,
                            options.timeout(),
                            limits)));
        }
        return group;
    }

    @Override
    public int size() {
        return communicators.size();
    }

    @Override
    public Communicator communicator(int rank) {
        if (rank < 0 || rank >= communicators.size()) {
            throw InvalidArgumentException.of("rank", rank, "0 to " + (communicators.size() - 1));
        }
        return communicators.get(rank);
    }

    @Override
    public void run(RankTask task) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        CountDownLatch running = new CountDownLatch(size());
        for (int rank = 0; rank < size(); rank++) {
            Communicator communicator = communicator(rank);
            Thread.ofPlatform().name(name + "-rank-" + rank).start(() -> {
                try {
                    task.run(communicator);
                } catch (Throwable e) {
                    failed(communicator.rank(), e, failure);
                } finally {
                    running.countDown();
                }
            });
        }
        awaitAll(running);
        rethrow(failure.get());
    }

    private void failed(int rank, Throwable e, AtomicReference<@Nullable Throwable> failure) {
        Throwable first = failure.compareAndExchange(null, e);
        if (first == null) {
            abort("rank " + rank + " failed: " + e);
        } else if (first != e) {
            first.addSuppressed(e);
        }
    }

    private void awaitAll(CountDownLatch running) {
        boolean interrupted = false;
        while (true) {
            try {
                running.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                abort("interrupted while ranks were running");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rethrow(@Nullable Throwable failure) {
        switch (failure) {
            case null -> {}
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new AbortedException("a rank failed: " + failure, failure);
        }
    }

    @Override
    public void abort(String reason) {
        abort.set(reason);
        control.wake();
    }

    /** Before any memory is freed, the launches of every rank must have ended: peers write into each other's. */
    private void awaitAllIdle() {
        communicators.forEach(communicator -> communicator.stream().close());
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            communicators.forEach(RuntimeCommunicator::close);
            backend.close();
        }
    }
}

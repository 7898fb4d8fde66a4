package org.mscclj.runtime.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.communicator.CommunicatorSpec;
import org.mscclj.runtime.communicator.Meeting;
import org.mscclj.runtime.communicator.RuntimeCommunicator;
import org.mscclj.runtime.communicator.Splitter;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.provider.ChosenDevice;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.provider.ProviderCode;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.settings.GroupHints;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.spi.engine.LaunchOrder;

/** A group of ranks in this JVM, with its own backend. */
public final class LocalRanks implements LocalGroup {
    private final LocalGroupOptions options;
    private final ExecutorOptions limits;
    private final GroupHints hints;
    private final BackendProvider provider;
    private final Backend backend;
    private final List<BackendDevice> devices = new ArrayList<>();
    private final Queue<LocalMembers> families = new ConcurrentLinkedQueue<>();
    private final ConcurrentMap<ChildKey, LocalMembers> children = new ConcurrentHashMap<>();
    private final List<RuntimeCommunicator> communicators = new ArrayList<>();
    private boolean closed;

    /**
     * Identifies a child: all its members look it up by an equal key, and no other ranks use this key. The rendezvous
     * of a communicator's remaining ranks has number 0.
     */
    private record ChildKey(LocalMembers parent, long number, List<Integer> members) {}

    private LocalRanks(LocalGroupOptions options, ExecutorOptions limits, BackendProvider provider) {
        this.options = options;
        this.limits = limits;
        this.hints = GroupHints.of(options.hints(), options.strictHints(), System.getenv());
        this.provider = provider;
        this.backend = ProviderCode.open(provider, () -> provider.open(BackendOptions.threads()));
        LocalMembers all =
                LocalMembers.of(Nodes.blocks(options.ranks(), options.ranksPerNode()), options.timeout(), () -> {});
        families.add(all);
        CommunicatorIdentity identity =
                CommunicatorIdentity.ofJob(CommunicatorIdentity.drawJob(), options.name(), options.ranks());
        try {
            devices.addAll(ProviderCode.open(provider, () -> backend.openDevices(chosenDevices())));
            for (int rank = 0; rank < options.ranks(); rank++) {
                communicators.add(communicator(all, rank, devices, identity));
            }
            run(communicator -> communicators.get(communicator.rank()).connect());
            communicators.forEach(RuntimeCommunicator::noteFaults);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(everything(), e);
            throw e;
        }
    }

    /**
     * Returns a number for each rank: the number of its device, or the position of the rank, which selects a device.
     */
    private List<Integer> chosenDevices() {
        List<Integer> chosen = options.devices();
        for (int rank = 0; rank < chosen.size(); rank++) {
            ChosenDevice.require(backend, chosen.get(rank), rank);
        }
        List<Integer> positions =
                chosen.isEmpty() ? IntStream.range(0, options.ranks()).boxed().toList() : chosen;
        ChosenDevice.requireOwn(provider, backend, positions);
        return positions;
    }

    private List<AutoCloseable> everything() {
        List<AutoCloseable> all = backendAndDevices();
        all.add(this::departForAll);
        families.forEach(members -> all.addAll(members.communicators()));
        return all;
    }

    /**
     * Ends the ranks that never created a child that its other members have created. Those members have closed it, and
     * their memory is freed with the last rank.
     */
    private void departForAll() {
        for (LocalMembers members : List.copyOf(families)) {
            for (int rank = 0; rank < members.nodes().ofRanks().size(); rank++) {
                members.depart(rank);
            }
        }
    }

    private List<AutoCloseable> backendAndDevices() {
        List<AutoCloseable> all = new ArrayList<>(List.of(backend));
        all.addAll(devices);
        return all;
    }

    /** Opens a group; see {@link LocalGroup#open(LocalGroupOptions)}. */
    public static LocalGroup open(LocalGroupOptions options, ExecutorOptions limits) {
        BackendProvider provider = ProviderCatalog.installed("backend", BackendProvider.class)
                .find(
                        options.backend(),
                        suits -> suits.capabilities().features().contains(Feature.RANKS_AS_THREADS));
        int most = provider.capabilities().maxRanks();
        if (options.ranks() > most) {
            throw InvalidArgumentException.of(
                    "ranks", options.ranks(), "1 to " + most + " on backend " + provider.name());
        }
        return open(options, limits, provider);
    }

    /** Opens a group on a given backend, whatever the options name. */
    public static LocalGroup open(LocalGroupOptions options, ExecutorOptions limits, BackendProvider provider) {
        return new LocalRanks(options, limits, provider);
    }

    private RuntimeCommunicator communicator(
            LocalMembers members, int rank, List<BackendDevice> memberDevices, CommunicatorIdentity identity) {
        String name = identity.name();
        ControlPlane control = members.control().ofRank(rank);
        RuntimeCommunicator communicator = new RuntimeCommunicator(
                new CommunicatorSpec(
                        identity,
                        members.lifetimeOf(rank),
                        hints,
                        options.warmUp(),
                        splitter(members, memberDevices, identity),
                        (ranks, parentRank) ->
                                meeting(new ChildKey(members, 0, ranks), parentRank, memberDevices, identity),
                        (quorum, _, _, _) -> {
                            throw new UnsupportedException("communicator " + name + " cannot be reconfigured by quorum "
                                    + quorum.id() + ": its ranks are threads of one process, which no other process can"
                                    + " join; use shrink to leave ranks out, or open ranks by CommunicatorOptions");
                        }),
                new ExecutionEnvironment(
                        control,
                        memberDevices.get(rank),
                        new RankLinks(
                                "rank " + rank + " of " + name,
                                memberDevices.get(rank),
                                options.timeout(),
                                members.abort(),
                                FaultHandler.of(members.abort())),
                        provider.capabilities(),
                        new LaunchOrder(),
                        members.abort(),
                        options.timeout(),
                        limits));
        members.communicators().add(communicator);
        return communicator;
    }

    private Splitter splitter(LocalMembers parent, List<BackendDevice> parentDevices, CommunicatorIdentity identity) {
        return (ranks, name, number, parentRank) -> child(
                new ChildKey(parent, number, ranks),
                identity.child(name, number + "." + ranks, ranks),
                parentRank,
                parentDevices);
    }

    private Meeting meeting(
            ChildKey key, int parentRank, List<BackendDevice> parentDevices, CommunicatorIdentity identity) {
        LocalMembers members = children.computeIfAbsent(key, this::childMembers);
        int rank = key.members().indexOf(parentRank);
        return new Meeting(
                members.control().ofRank(rank),
                members.abort(),
                splitter(
                        members,
                        devicesOf(key, parentDevices),
                        identity.child(identity.name(), "left." + key.members(), key.members())),
                () -> members.depart(rank));
    }

    private RuntimeCommunicator child(
            ChildKey key, CommunicatorIdentity identity, int parentRank, List<BackendDevice> parentDevices) {
        LocalMembers members = children.computeIfAbsent(key, this::childMembers);
        int rank = key.members().indexOf(parentRank);
        try {
            return communicator(members, rank, devicesOf(key, parentDevices), identity);
        } catch (RuntimeException | Error e) {
            members.depart(rank); // the other members must not wait for this one
            throw e;
        }
    }

    private static List<BackendDevice> devicesOf(ChildKey key, List<BackendDevice> parentDevices) {
        return key.members().stream().map(parentDevices::get).toList();
    }

    private LocalMembers childMembers(ChildKey key) {
        Nodes nodes = key.parent().nodes().of(key.members());
        LocalMembers members = LocalMembers.of(nodes, options.timeout(), () -> forget(key));
        families.add(members);
        if (key.number() > 0
                && key.parent().abort().isSet()) { // the group may have been aborted before it knew of this child
            members.abort().set(key.parent().abort().reason().orElse("its parent was aborted"));
        }
        return members;
    }

    private void forget(ChildKey key) {
        LocalMembers members = children.remove(key);
        if (members != null) {
            families.remove(members);
        }
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
        Objects.requireNonNull(task, "task");
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        CountDownLatch running = new CountDownLatch(size());
        for (int rank = 0; rank < size(); rank++) {
            Communicator communicator = communicator(rank);
            Thread.ofPlatform().name(options.name() + "-rank-" + rank).start(() -> {
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
        } else {
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
        Objects.requireNonNull(reason, "reason");
        families.forEach(members -> members.abort().set(reason));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Resources.close(everything());
        }
    }
}

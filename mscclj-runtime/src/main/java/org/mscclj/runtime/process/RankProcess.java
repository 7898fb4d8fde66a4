package org.mscclj.runtime.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Quorum;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.runtime.bootstrap.Bootstrap;
import org.mscclj.runtime.communicator.CommunicatorSpec;
import org.mscclj.runtime.communicator.RuntimeCommunicator;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.execution.ExecutionEnvironment;
import org.mscclj.runtime.execution.ExecutorOptions;
import org.mscclj.runtime.mesh.Mesh;
import org.mscclj.runtime.mesh.MeshGroup;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.settings.GroupHints;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * What the communicators of one rank in one membership share: the device, and the control connections to all other ranks. It ends with the last of
 * them, whichever that is.
 */
public final class RankProcess {
    private static final String WORLD = "0";

    private final CommunicatorOptions options;
    private final ExecutorOptions limits;
    private final GroupHints hints;
    private final BackendProvider provider;
    private final Mesh mesh;
    private final RankDevice device;
    private final AtomicInteger communicators = new AtomicInteger();

    private RankProcess(
            CommunicatorOptions options,
            ExecutorOptions limits,
            GroupHints hints,
            BackendProvider provider,
            Mesh mesh,
            RankDevice device) {
        this.options = options;
        this.limits = limits;
        this.hints = hints;
        this.provider = provider;
        this.mesh = mesh;
        this.device = device;
    }

    /** Opens a rank; see {@link Communicator#open(CommunicatorOptions)}. Collective. */
    public static Communicator open(CommunicatorOptions options, ExecutorOptions limits) {
        BackendProvider provider =
                ProviderCatalog.installed("backend", BackendProvider.class).find(options.backend());
        requireRoom(options, provider);
        GroupHints hints = GroupHints.of(options.hints(), options.strictHints(), System.getenv());
        return open(options, limits, hints, provider, Bootstrap.connect(options));
    }

    private static void requireRoom(CommunicatorOptions options, BackendProvider provider) {
        int most = provider.capabilities().maxRanks();
        if (options.size() > most) {
            throw InvalidArgumentException.of(
                    "number of ranks", options.size(), "1 to " + most + " on backend " + provider.name());
        }
    }

    /** Opens a rank over connections to all others, which it owns from now on. */
    static RuntimeCommunicator open(
            CommunicatorOptions options,
            ExecutorOptions limits,
            GroupHints hints,
            BackendProvider provider,
            Map<Integer, ControlSocket> sockets) {
        int localRank = options.position().localRank();
        return open(options, limits, hints, provider, sockets, () -> RankDevice.open(provider, localRank));
    }

    private static RuntimeCommunicator open(
            CommunicatorOptions options,
            ExecutorOptions limits,
            GroupHints hints,
            BackendProvider provider,
            Map<Integer, ControlSocket> sockets,
            Supplier<RankDevice> devices) {
        Mesh mesh = new Mesh(options.name(), options.rank(), options.timeout(), sockets);
        List<AutoCloseable> resources = new ArrayList<>(List.of(mesh));
        try {
            MeshGroup world =
                    mesh.open(WORLD, IntStream.range(0, options.size()).boxed().toList());
            resources.add(world::depart);
            ControlPlane control = world.controlPlane(
                    Nodes.blocks(options.size(), options.position().ranksPerNode()));
            RankProcess[] opened = new RankProcess[1];
            byte[][] all = Exchange.gather(control, "open a communicator", () -> {
                RankDevice device = devices.get();
                resources.add(device);
                opened[0] = new RankProcess(options, limits, hints, provider, mesh, device);
                return describe(options, limits, provider).getBytes(StandardCharsets.UTF_8);
            });
            requireEqual(all);
            return opened[0].communicator(world, control, options.name()).connected();
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            throw e;
        }
    }

    private static String describe(CommunicatorOptions options, ExecutorOptions limits, BackendProvider provider) {
        return "communicator " + options.name()
                + options.quorum()
                        .map(quorum -> " of members " + quorum.members())
                        .orElse("") + ", " + options.position().ranksPerNode() + " ranks per node, backend "
                + provider.name() + ", at most " + limits.scratchLimit() + " bytes of scratch ("
                + ExecutorOptions.SCRATCH_LIMIT_VARIABLE + "), first flag " + limits.firstFlag()
                + ", verification of plans " + limits.verification() + " (" + PlanVerification.VARIABLE
                + "), comparison of calls "
                + (limits.checksCalls() ? "on" : "off") + " (" + ExecutorOptions.CHECK_VARIABLE + ")";
    }

    private static void requireEqual(byte[][] all) {
        Differences.among(Arrays.stream(all)
                        .map(words -> new String(words, StandardCharsets.UTF_8))
                        .toList())
                .ifPresent(opened -> {
                    throw new InvalidArgumentException("ranks open different communicators; " + opened
                            + "; all of this must be equal on all ranks");
                });
    }

    private RuntimeCommunicator communicator(MeshGroup group, ControlPlane control, String name) {
        RankLinks links = new RankLinks(
                "rank " + group.rank() + " of " + name,
                device.device(),
                options.timeout(),
                group.abort(),
                group.abort()::set);
        RuntimeCommunicator opened = new RuntimeCommunicator(
                new CommunicatorSpec(
                        name,
                        new ProcessLifetime(group, links, options.timeout(), this::communicatorClosed),
                        hints,
                        (members, childName, number, rank) ->
                                // the children of one split have no rank in common, so that the first member tells them
                                // apart
                                child(group, number + "." + members.getFirst(), control.nodes(), members, childName),
                        (members, childName, number, rank) ->
                                child(group, "left." + members, control.nodes(), members, childName),
                        (quorum, rank) -> reconfigured(new Survivor(name, rank, control.nodes()), quorum)),
                new ExecutionEnvironment(
                        control,
                        device.device(),
                        links,
                        provider.capabilities(),
                        new LaunchOrder(),
                        group.abort(),
                        options.timeout(),
                        limits));
        communicators.incrementAndGet();
        return opened;
    }

    /** This rank's communicator of another membership, over connections of its own, on the same device. */
    private Communicator reconfigured(Survivor survivor, Quorum quorum) {
        CommunicatorOptions next = survivor.options(options, quorum);
        requireRoom(next, provider);
        return open(next, limits, hints, provider, Bootstrap.connect(next), device::share);
    }

    /** A child that all its members, and nobody else, know by this id among those of its parent. */
    private RuntimeCommunicator child(MeshGroup parent, String id, Nodes nodes, List<Integer> members, String name) {
        List<Integer> ranks = members.stream().map(parent.members()::get).toList();
        MeshGroup group = mesh.open(parent.id() + "/" + id, ranks);
        try {
            return communicator(group, group.controlPlane(nodes.of(members)), name);
        } catch (RuntimeException | Error e) {
            group.depart(); // the other members must not wait for this one
            throw e;
        }
    }

    private void communicatorClosed() {
        if (communicators.decrementAndGet() == 0) {
            Resources.close(List.of(device, mesh));
        }
    }
}

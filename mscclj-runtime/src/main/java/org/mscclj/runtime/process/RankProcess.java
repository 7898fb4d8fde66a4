package org.mscclj.runtime.process;

import java.io.DataInput;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Quorum;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.bootstrap.Bootstrap;
import org.mscclj.runtime.communicator.CommunicatorSpec;
import org.mscclj.runtime.communicator.Meeting;
import org.mscclj.runtime.communicator.RuntimeCommunicator;
import org.mscclj.runtime.communicator.Splitter;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.InboxControlPlane;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.mesh.Mesh;
import org.mscclj.runtime.mesh.MeshGroup;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.settings.GroupHints;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/**
 * State that the communicators of one rank in one membership share: the device, and the control connections to all
 * other ranks. It ends with the last communicator, whichever that is.
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
    private volatile boolean formed;

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
        BackendProvider provider = ProviderCatalog.installed("backend", BackendProvider.class)
                .find(
                        options.backend(),
                        suits -> suits.capabilities().features().contains(Feature.RANKS_AS_PROCESSES));
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

    /** Opens a rank over connections to all others. The rank owns the connections from now on. */
    public static RuntimeCommunicator open(
            CommunicatorOptions options,
            ExecutorOptions limits,
            GroupHints hints,
            BackendProvider provider,
            Map<Integer, ControlSocket> sockets) {
        SetUp usual = new SetUp(() -> RankDevice.open(provider, options), _ -> {}, Optional.empty());
        return open(options, limits, hints, provider, sockets, usual);
    }

    /**
     * How a connected rank is set up.
     *
     * @param devices opens its device
     * @param forming receives its abort word before the word is used
     * @param limit deadline of its waits for other ranks; if empty, each step waits for the communicator's timeout
     */
    private record SetUp(Supplier<RankDevice> devices, Consumer<AbortFlag> forming, Optional<RunningDeadline> limit) {
        CallScope scopeOf(ControlPlane control) {
            return limit.map(control::within).orElse(() -> {});
        }
    }

    private static RuntimeCommunicator open(
            CommunicatorOptions options,
            ExecutorOptions limits,
            GroupHints hints,
            BackendProvider provider,
            Map<Integer, ControlSocket> sockets,
            SetUp setUp) {
        Mesh mesh = new Mesh(options.name(), options.rank(), options.timeout(), sockets);
        List<AutoCloseable> resources = new ArrayList<>(List.<AutoCloseable>of(mesh::closeSoon));
        try {
            MeshGroup world =
                    mesh.open(WORLD, IntStream.range(0, options.size()).boxed().toList());
            resources.add(world::depart);
            setUp.forming().accept(world.abort());
            return setUp(world, mesh, options, limits, hints, provider, setUp, resources);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            throw e;
        }
    }

    /**
     * Sets the rank up, and adds what it opens to the resources. Before this rank departs, the ranks that still wait
     * receive the reason why it gives up: otherwise they would blame this rank.
     */
    private static RuntimeCommunicator setUp(
            MeshGroup world,
            Mesh mesh,
            CommunicatorOptions options,
            ExecutorOptions limits,
            GroupHints hints,
            BackendProvider provider,
            SetUp setUp,
            List<AutoCloseable> resources) {
        InboxControlPlane control = world.controlPlane(Nodes.one(options.size()));
        try (CallScope _ = setUp.scopeOf(control)) {
            RankProcess[] opened = new RankProcess[1];
            List<Message> all = Exchange.gather(control, Topic.of(TopicKind.OPEN), () -> {
                RankDevice device = setUp.devices().get();
                resources.add(device);
                opened[0] = new RankProcess(options, limits, hints, provider, mesh, device);
                return Wire.encode(out -> {
                    Wire.writeText(out, HostIdentity.own());
                    Wire.writeBytes(
                            out,
                            OpeningSignature.of(
                                            options,
                                            limits,
                                            provider.name(),
                                            device.device().programPreference())
                                    .encode());
                });
            });
            List<Introduction> ranks =
                    all.stream().map(one -> Introduction.decode(one.bytes())).toList();
            requireEqual(ranks.stream().map(Introduction::opened).toArray(byte[][]::new));
            control.locate(HostNodes.of(ranks.stream().map(Introduction::host).toList(), options.position()));
            CommunicatorIdentity identity =
                    CommunicatorIdentity.ofJob(agreedJob(control), options.name(), options.size());
            RuntimeCommunicator first =
                    opened[0].communicator(world, control, identity).connected();
            opened[0].formed = true;
            return first;
        } catch (OperationTimeoutException e) {
            world.abort().expire(options.name() + " was not opened: " + e.getMessage(), e.missingRanks());
            throw e;
        } catch (AbortedException e) { // if no rank has aborted, this thread was interrupted; its rank is not lost
            world.abort().set("rank " + options.rank() + " gives up opening " + options.name() + ": " + e.getMessage());
            throw e;
        }
    }

    /** Introduction of a rank: its host, and what it opens. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Introduction(String host, byte[] opened) {
        static Introduction decode(byte[] bytes) {
            return Wire.decode(bytes, in -> new Introduction(in.readUTF(), Wire.readBytes(in)));
        }
    }

    /** Returns the job number that rank 0 draws. Collective. */
    private static long agreedJob(ControlPlane control) {
        byte[] own = ByteBuffer.allocate(Long.BYTES)
                .putLong(CommunicatorIdentity.drawJob())
                .array();
        byte[] drawn =
                control.allGather(Topic.of(TopicKind.JOB), own).getFirst().bytes();
        return Wire.decodeFrom(0, drawn, message -> Wire.decode(message, DataInput::readLong));
    }

    private static void requireEqual(byte[][] all) {
        Differences.among(all, signature -> OpeningSignature.decode(signature).describe())
                .ifPresent(opened -> {
                    throw new InvalidArgumentException("ranks open different communicators; " + opened
                            + "; all of this must be equal on all ranks");
                });
    }

    private RuntimeCommunicator communicator(MeshGroup group, ControlPlane control, CommunicatorIdentity identity) {
        String name = identity.name();
        RankLinks links = new RankLinks(
                "rank " + group.rank() + " of " + name,
                device.device(),
                options.timeout(),
                group.abort(),
                new PeerFaults(control, group.abort()));
        RuntimeCommunicator opened = new RuntimeCommunicator(
                new CommunicatorSpec(
                        identity,
                        new ProcessLifetime(group, links, options.timeout(), this::communicatorClosed),
                        hints,
                        options.warmUp(),
                        splitter(group, control.nodes(), identity),
                        (members, _) -> meeting(group, control.nodes(), members, identity),
                        (quorum, rank, timeout, forming) -> reconfigured(
                                new Survivor(name, rank, control.nodes()), control, quorum, timeout, forming)),
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

    /** Opens this rank's communicator of another membership, over its own connections, on its present device. */
    private Communicator reconfigured(
            Survivor survivor, ControlPlane old, Quorum quorum, Duration timeout, Consumer<AbortFlag> forming) {
        CommunicatorOptions next = survivor.options(options, quorum);
        requireRoom(next, provider);
        Deadline deadline = Deadline.after(timeout);
        Map<Integer, ControlSocket> sockets =
                Bootstrap.connect(next.timeout(timeout), LostMembers.from(quorum, old.stands()));
        RunningDeadline left = RunningDeadline.after(Duration.ofNanos(deadline.left()));
        return open(next, limits, hints, provider, sockets, new SetUp(device::share, forming, Optional.of(left)));
    }

    /**
     * Returns the splitter of a communicator. The children of one split have no rank in common, so the first member
     * identifies each of them.
     */
    private Splitter splitter(MeshGroup parent, Nodes nodes, CommunicatorIdentity identity) {
        return (members, name, number, _) -> {
            String id = number + "." + members.getFirst();
            return child(parent, id, nodes.of(members), members, identity.child(name, id, members));
        };
    }

    private Meeting meeting(MeshGroup old, Nodes nodes, List<Integer> members, CommunicatorIdentity identity) {
        String id = "left." + members;
        MeshGroup group = group(old, id, members);
        Nodes left = nodes.of(members);
        return new Meeting(
                group.controlPlane(left),
                group.abort(),
                splitter(group, left, identity.child(identity.name(), id, members)),
                group::depart);
    }

    /**
     * Opens a group that all its members find by this id among the children of a parent, and that no other rank finds.
     */
    private MeshGroup group(MeshGroup parent, String id, List<Integer> members) {
        return mesh.open(
                parent.id() + "/" + id,
                members.stream().map(parent.members()::get).toList());
    }

    private RuntimeCommunicator child(
            MeshGroup parent, String id, Nodes nodes, List<Integer> members, CommunicatorIdentity identity) {
        MeshGroup group = group(parent, id, members);
        try {
            return communicator(group, group.controlPlane(nodes), identity);
        } catch (RuntimeException | Error e) {
            group.depart(); // the other members must not wait for this one
            throw e;
        }
    }

    private void communicatorClosed() {
        if (communicators.decrementAndGet() == 0) {
            AutoCloseable connections = formed ? mesh : mesh::closeSoon;
            Resources.close(List.of(device, connections));
        }
    }
}

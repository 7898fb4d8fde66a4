package org.mscclj.runtime.execution.binding;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.context.BufferParts;
import org.mscclj.runtime.execution.context.BufferPorts;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.OpenOperations;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PortBuffers;

/**
 * An input and an output of a plan that the ranks have shared with each other, so that a rank may use any part of them
 * without asking its peers: registered allocations, or memory for addends and sums. Safe for use by several threads.
 */
public final class SharedBuffers implements BufferUser {
    private final Pair own;
    private final List<PeerBuffers> peers;
    private final List<PortBuffers> ports;
    private final List<OptionalLong> multicasts;
    private final List<AutoCloseable> resources;
    private final Consumer<SharedBuffers> forget;
    private int users = 1;
    private boolean retired;

    private SharedBuffers(
            Pair own,
            List<PeerBuffers> peers,
            List<PortBuffers> ports,
            List<OptionalLong> multicasts,
            List<AutoCloseable> resources,
            Consumer<SharedBuffers> forget) {
        this.own = own;
        this.peers = peers;
        this.ports = ports;
        this.multicasts = multicasts;
        this.resources = resources;
        this.forget = forget;
    }

    /**
     * Input and output.
     *
     * @param input the whole input
     * @param output the whole output; the same as the input if both share memory
     */
    public record Pair(DeviceBuffer input, DeviceBuffer output) {}

    /** What a rank describes: its buffers, and its part in the set-up of their multicast groups. */
    private record Described(Message buffers, Message multicast) {
        byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeBytes(out, buffers.bytes());
                Wire.writeBytes(out, multicast.bytes());
            });
        }

        static List<Described> all(List<Message> messages) {
            return Wire.decodeAll(
                    messages,
                    Described.class,
                    message -> Wire.decode(message, in -> new Described(Wire.readMessage(in), Wire.readMessage(in))));
        }
    }

    /** This rank's part in sharing buffers. It takes part in each step in which a context is set up. */
    public static final class Stage {
        private final Plan plan;
        private final ExecutionEnvironment environment;
        private final Function<Stage, Pair> source;
        private final BufferPorts ports;
        private final BufferMulticast multicast;
        private final List<AutoCloseable> resources = new ArrayList<>();
        private final List<DeviceBuffer> registered = new ArrayList<>();

        /** Holds that keep registered allocations from being closed until the ranks have shared them. */
        private final List<AutoCloseable> retained = new ArrayList<>();

        private @Nullable Pair own;

        private Stage(
                Plan plan, ExecutionEnvironment environment, Set<BufferType> multicast, Function<Stage, Pair> source) {
            this.plan = plan;
            this.environment = environment;
            this.source = source;
            this.ports = new BufferPorts(plan);
            this.multicast = new BufferMulticast(plan, multicast, environment);
        }

        /**
         * Creates a rank's part in sharing memory for addends and sums.
         *
         * @param sliceBytes the most bytes of a slice of addends
         */
        public static Stage ofAddends(Plan plan, long sliceBytes, SumMemory memory, ExecutionEnvironment environment) {
            AddendPlaces places = AddendPlaces.of(plan, environment.control().rank(), sliceBytes);
            return new Stage(plan, environment, EnumSet.noneOf(BufferType.class), stage -> {
                SumMemory.Lease lease = memory.lease(places.bytes());
                stage.resources.add(lease);
                DeviceBuffer input = places.input(lease.buffer());
                return new Pair(input, plan.inPlace() ? input : places.output(lease.buffer()));
            });
        }

        /**
         * Creates a rank's part in sharing registered allocations. Their owner may close them when no launch that uses
         * them is in flight.
         */
        public static Stage ofRegistered(Plan plan, Pair allocations, ExecutionEnvironment environment) {
            return new Stage(plan, environment, EnumSet.of(BufferType.INPUT, BufferType.OUTPUT), stage -> {
                stage.registered.addAll(List.of(allocations.input(), allocations.output()));
                OpenOperations.retain(environment.device(), stage.registered, stage.retained);
                return allocations;
            });
        }

        /** Returns the description of this rank's buffers for peers. */
        public byte[] describe() {
            Pair pair = source.apply(this);
            own = pair;
            resources.add(ports);
            resources.add(multicast);
            return new Described(new Message(agreement(pair)), new Message(multicast.describe(pair))).encode();
        }

        private byte[] agreement(Pair pair) {
            return new CallAgreement(
                            new byte[0],
                            pair.input(),
                            pair.output(),
                            SharedPlans.mapsBuffers(plan),
                            environment.device(),
                            ports.register(
                                    pair.input(),
                                    pair.output(),
                                    environment.links().transports()))
                    .encode();
        }

        /**
         * Sets the multicast groups of the buffers up. Collective.
         *
         * @param described the description of each rank
         */
        public void connect(List<Message> described) {
            multicast.connect(
                    Objects.requireNonNull(own, "described before"),
                    Described.all(described).stream().map(Described::multicast).toList());
        }

        /**
         * Imports the memory of peers. The caller is the first user.
         *
         * @param described the description of each rank
         * @param forget is called when the result is closed
         */
        public SharedBuffers open(PlanContext context, List<Message> described, Consumer<SharedBuffers> forget) {
            List<Message> agreements =
                    Described.all(described).stream().map(Described::buffers).toList();
            List<CallAgreement> ranks = Wire.decodeAll(agreements, CallAgreement.class, CallAgreement::decode);
            List<PortBuffers> imported = ports.importAll(
                    context.ports(), ranks.stream().map(CallAgreement::ports).toList());
            SharedBuffers shared = new SharedBuffers(
                    Objects.requireNonNull(own, "described before"),
                    LaunchBinding.map(environment, ranks, resources),
                    imported,
                    multicast.addresses(),
                    resources,
                    forget);
            BackendDevice device = environment.device();
            for (DeviceBuffer buffer : registered) {
                device.addUser(buffer, shared);
                resources.addFirst(() -> device.removeUser(buffer, shared));
            }
            Resources.close(retained);
            retained.clear();
            return shared;
        }

        /** Releases the memory. */
        public void abandon(Throwable cause) {
            Resources.closeSuppressing(resources, cause);
            resources.clear();
            Resources.closeSuppressing(retained, cause);
            retained.clear();
        }
    }

    /** Returns the whole input and output of this rank. */
    public Pair own() {
        return own;
    }

    /** Returns the addresses of parts of the buffers, by rank. */
    public List<PeerBuffers> peers(BufferParts parts) {
        if (parts.areWhole()) {
            return peers;
        }
        List<PeerBuffers> shifted = new ArrayList<>(peers.size());
        for (int rank = 0; rank < peers.size(); rank++) {
            shifted.add(peers.get(rank).at(parts.input(rank), parts.output(rank)));
        }
        return shifted;
    }

    /** Returns the whole buffers, by port channel. */
    public List<PortBuffers> ports() {
        return ports;
    }

    /**
     * Returns the multicast address of each switch channel, for parts of the buffers.
     *
     * @param channels the switch channels of this rank
     * @param scratch the addresses of channels of scratch
     */
    public List<OptionalLong> multicasts(List<SwitchGroup> channels, BufferParts parts, List<OptionalLong> scratch) {
        return BufferMulticast.at(channels, parts, multicasts, scratch);
    }

    /** Adds a user. */
    public synchronized void retain() {
        users++;
    }

    /** Removes a user. The last one releases the memory. */
    public synchronized void release() {
        users--;
        if (users == 0) {
            close();
        }
    }

    /** Ends the use by the set-up. Idempotent. */
    synchronized void retire() {
        if (!retired) {
            retired = true;
            release();
        }
    }

    /** Releases the memory, whether or not it has users. */
    public synchronized void close() {
        List<AutoCloseable> all = List.copyOf(resources);
        resources.clear();
        forget.accept(this);
        Resources.close(all);
    }

    /** Returns false: each operation on the buffers is a user of its own. */
    @Override
    public boolean isUsing() {
        return false;
    }

    @Override
    public void bufferClosed() {
        retire();
    }
}

package org.mscclj.runtime.execution.context;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.event.PlanPhase;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.multicast.MulticastSetUp;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.EngineContext;

/**
 * One rank's part in setting up a context. The ranks take three steps together, and a fourth one if the plan has port
 * channels or uses multicast: each rank {@linkplain #describe describes} its memory, {@linkplain #connect maps} the
 * memory of its peers, creates endpoints and joins multicast groups, connects the endpoints and binds multicast memory,
 * and {@linkplain #open opens} its engine. Other data that the ranks exchange at the same time travels with the first
 * and the last step.
 *
 * <p>If a step fails on one rank, it fails on all ranks. Each rank then closes its resources: no peer is about to map
 * them.
 */
public final class ContextSetUp {
    private final Plan plan;
    private final long slotBytes;
    private final ExecutionEnvironment environment;
    private final List<AutoCloseable> resources;
    private final ChannelPairing memoryPairing;
    private final ChannelPairing portPairing;
    private final ContextMemory memory;
    private final MappedContexts mapped;
    private final PortWiring ports;
    private final MulticastSetUp multicast;

    /**
     * A context on this rank.
     *
     * @param context the context
     * @param reports what the ranks can do together
     */
    public record Opened(PlanContext context, PeerReports reports) {}

    /**
     * Creates the part of a rank.
     *
     * @param resources an empty list. If a step fails, it contains what the caller must close; otherwise the context
     *     closes its elements
     */
    public ContextSetUp(Plan plan, long slotBytes, ExecutionEnvironment environment, List<AutoCloseable> resources) {
        this.plan = plan;
        this.slotBytes = slotBytes;
        this.environment = environment;
        this.resources = resources;
        this.memoryPairing = SharedPlans.memoryPairing(plan);
        this.portPairing = SharedPlans.portPairing(plan);
        int rank = environment.control().rank();
        this.memory = new ContextMemory(
                environment.device(), ContextLayout.of(plan, memoryPairing, portPairing, rank, slotBytes));
        this.mapped = new MappedContexts(environment.device());
        this.ports = new PortWiring(environment, plan, portPairing, slotBytes);
        resources.add(memory);
        resources.add(mapped);
        resources.add(ports);
        this.multicast = new MulticastSetUp(
                plan,
                rank,
                EnumSet.of(BufferType.SCRATCH),
                environment.device(),
                environment.timeout(),
                environment.links()::multicast);
        resources.add(multicast);
    }

    /** Allocates this rank's memory. Returns the contribution to the first step. */
    ContextDescription describe() {
        return memory.allocate(slotBytes, multicast.memoryNeeds())
                .withPorts(ports.describe(memory))
                .withMulticast(multicast.describe(_ -> ScratchSize.mostBytes(plan, slotBytes), _ -> memory.scratch()));
    }

    /**
     * Maps the memory of peers, connects port channels and sets multicast up. Collective: one exchange, or two with
     * port channels or multicast.
     *
     * @param described the descriptions of all ranks, which have been found consistent
     */
    void connect(List<ContextDescription> described) {
        EventRecorder.plan(plan.name(), environment.control().rank(), PlanPhase.SET_UP, () -> {
            connectTogether(described);
            return this;
        });
    }

    private void connectTogether(List<ContextDescription> described) {
        ControlPlane control = environment.control();
        multicast.agreeOnGroups(
                described.stream().map(ContextDescription::multicast).toList());
        List<Step> steps = Step.gather(control, Topic.of(TopicKind.CONTEXT_MAPPED, plan.label()), () -> {
            mapped.map(described, control.rank(), control.nodes());
            return new Step(new Message(ports.endpoints(described)), new Message(multicast.join()));
        });
        multicast.agree(steps.stream().map(Step::multicast).toList());
        if (ports.isEmpty() && !multicast.isGoingOn()) {
            return;
        }
        List<Message> endpoints = steps.stream().map(Step::ports).toList();
        TopicKind topic = ports.isEmpty() ? TopicKind.MULTICAST_MEMORY : TopicKind.PORT_CONNECTIONS;
        List<Step> last = Step.gather(control, Topic.of(topic, plan.label()), () -> {
            if (!ports.isEmpty()) {
                ports.connect(described, endpoints, mapped.peers());
            }
            return new Step(new Message(new byte[0]), new Message(multicast.bind(_ -> memory.scratch())));
        });
        multicast.agree(last.stream().map(Step::multicast).toList());
    }

    /** What a rank contributes to a step between the first and the last one. */
    private record Step(Message ports, Message multicast) {
        /** Gathers the contributions of all ranks. Collective. */
        static List<Step> gather(ControlPlane control, Topic topic, Supplier<Step> own) {
            return Wire.decodeAll(
                    Exchange.gather(control, topic, () -> own.get().encode()), Step.class, Step::decode);
        }

        private byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeBytes(out, ports.bytes());
                Wire.writeBytes(out, multicast.bytes());
            });
        }

        private static Step decode(byte[] message) {
            return Wire.decode(message, in -> new Step(Wire.readMessage(in), Wire.readMessage(in)));
        }
    }

    /** Opens the engine. This is a part of what each rank contributes to the last step. */
    PlanContext open(Consumer<EngineContext> ready) {
        ports.closeEndpoints(); // only now: a peer may have been connecting to one until here
        ControlPlane control = environment.control();
        ContextSpec spec = new ContextSpec(
                plan,
                memoryPairing,
                portPairing,
                control.rank(),
                slotBytes,
                environment.options().firstFlag(),
                memory.scratch(),
                memory.counters(),
                mapped.peers(),
                ports.bindings(),
                ports.arrivals(),
                environment.order(),
                environment.abort());
        EngineContext engine = environment.device().planEngine().open(spec);
        resources.add(engine);
        ready.accept(engine);
        return new PlanContext(
                slotBytes,
                ScratchSize.mostBytes(plan, slotBytes),
                engine,
                memory,
                mapped,
                ports,
                multicast.addresses(),
                control,
                resources);
    }

    /**
     * Takes all steps for a single context. Collective. The ranks also find out what they can do together.
     *
     * @param ready action of each rank before any rank launches
     */
    public Opened openTogether(Consumer<EngineContext> ready) {
        ControlPlane control = environment.control();
        List<Message> all = Exchange.gather(
                control,
                Topic.of(TopicKind.CONTEXT_MEMORY, plan.label()),
                () -> describe().encode());
        connect(ContextDescription.ofRanks(plan.name(), all));
        List<PlanContext> opened = new ArrayList<>();
        List<Message> reports = Exchange.gather(control, Topic.of(TopicKind.ENGINE, plan.label()), () -> {
            opened.add(open(ready));
            return PeerReports.encode(!mapped.isComplete(), environment.links().multicastMember());
        });
        return new Opened(opened.getFirst(), PeerReports.of(reports));
    }

    /** Frees all resources after a step has failed. */
    void abandon(Throwable cause) {
        Resources.closeSuppressing(resources, cause);
        resources.clear();
    }
}

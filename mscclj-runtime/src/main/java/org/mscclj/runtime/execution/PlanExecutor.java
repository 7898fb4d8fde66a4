package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.pairing.BufferAccess;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.event.Events;
import org.mscclj.runtime.event.PlanPhase;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PortBuffers;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Prepares plans on one rank. A plan is parsed once and its contexts are kept: a new size costs arithmetic, and the
 * agreement of the ranks. Used by one thread at a time.
 */
public final class PlanExecutor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(PlanExecutor.class.getName());

    private final ExecutionEnvironment environment;
    private final PlanProof proof;
    private final ContextCache contexts;

    private final SumMemory sums;

    /** What {@link #setUp} has shared. */
    private final Set<SharedAddends> shared = ConcurrentHashMap.newKeySet();

    private final OpenOperations open = new OpenOperations();

    /** An executor of plans of any origin, without contexts. */
    public PlanExecutor(ExecutionEnvironment environment) {
        this(environment, PlanDigests::of);
    }

    /** An executor of plans of {@link SharedPlans#of(ShippedProgram, ProgramSpec)}, without contexts. */
    public static PlanExecutor ofPrograms(ExecutionEnvironment environment) {
        return new PlanExecutor(environment, PlanDigests::ofProgram);
    }

    private PlanExecutor(ExecutionEnvironment environment, Function<Plan, String> digestOf) {
        this.environment = environment;
        this.contexts = new ContextCache(environment, digestOf);
        this.sums = new SumMemory(environment.device());
        this.proof = new PlanProof(
                environment.control(), environment.options().verification(), PlanVerdicts.OF_PROCESS, LOGGER);
    }

    /** Prepares a call for launches on {@code stream}; see {@link org.mscclj.api.Communicator#prepare}. Collective. */
    public PreparedPlan prepare(PlanCall call, Stream stream) {
        return prepare(
                call,
                new Preparation(call.plan().name(), stream, BufferHold.UNTIL_CLOSED)
                        .withOptions(call.options())
                        .withNanCheck(nanCheck(call)));
    }

    /**
     * Looks for NaN in what a call reads that is about to be executed, if that is wanted: before ranks do anything
     * together.
     */
    public void lookForNan(PlanCall call, Stream stream) {
        NanCheck check = nanCheck(call);
        if (check != null) {
            check.look(stream);
        }
    }

    private @Nullable NanCheck nanCheck(PlanCall call) {
        if (!NanCheck.isWanted(environment, call.options(), call.type())
                || !(call.plan() instanceof Plan plan)
                || !BufferUse.isInputRead(plan, environment.control().rank())) {
            return null;
        }
        return NanCheck.of(
                environment,
                "plan " + plan.label(),
                call.type(),
                List.of(new NanCheck.Input("the input", call.input())));
    }

    /** Prepares a call. Collective. */
    public PreparedPlan prepare(PlanCall call, Preparation preparation) {
        open.freeForgotten();
        List<AutoCloseable> retained = new ArrayList<>();
        List<AutoCloseable> made = new ArrayList<>();
        try {
            PreparedPlan prepared = prepare(call, preparation, retained);
            made.add(prepared);
            OpenOperations.handOver(prepared, preparation.hold(), buffers(call), retained);
            return prepared;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(made, e);
            Resources.closeSuppressing(retained, e);
            throw e;
        }
    }

    private PreparedPlan prepare(PlanCall call, Preparation preparation, List<AutoCloseable> retained) {
        List<AutoCloseable> resources = new ArrayList<>();
        PreparedPlan[] prepared = new PreparedPlan[1];
        PlanWorkload[] own = new PlanWorkload[1];
        try {
            List<CallAgreement> ranks = agree(call, own, resources, retained);
            PlanWorkload workload = own[0];
            Plan plan = (Plan) call.plan();
            NodeCheck.obstacle(plan, environment.control().nodes()).ifPresent(obstacle -> {
                throw new UnsupportedException("plan " + plan.label() + ": " + obstacle);
            });
            proof.check(plan, contexts.digest(plan));
            PlanContext context = contexts.get(plan, workload.sliceBytes());
            if (preparation.hold() == BufferHold.IN_FLIGHT) {
                context.keepForKinds();
            }
            List<PortBuffers> ports = context.ports().register(workload.input(), workload.output(), resources);
            // also the barrier after which every rank may launch
            Exchange.gather(environment.control(), "ready to launch plan " + plan.label(), () -> {
                prepared[0] = prepare(plan, call, workload, context, ranks, ports, preparation, resources);
                return new byte[0];
            });
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            throw e;
        }
        return prepared[0];
    }

    /**
     * Has a plan verified for calls of a root, if that is wanted. Collective if the plan is new.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException on every rank, if proofs are required and there is none, or
     *     one for other roots
     */
    public void verifyForRoot(Plan plan, int root) {
        proof.check(plan, contexts.digest(plan), root);
    }

    /**
     * Sets a plan up for slices of a size, whatever the buffers and the factor will be, for a kind of calls.
     * Collective.
     *
     * @param plan one for which {@link BufferAccess#onlyScratch} is true or {@link #hasAddends} is, equal on all ranks
     * @param type the type of the calls' elements, equal on all ranks
     * @param op the operation of the calls, equal on all ranks
     * @param sliceBytes bytes of the calls' slices, equal on all ranks
     */
    public PlanSetup setUp(Plan plan, DataType type, ReduceOp.Kind op, long sliceBytes) {
        proof.check(plan, contexts.digest(plan));
        long bytes = PlanWorkload.sliceBytes(plan, type, op, sliceBytes);
        PlanContext context = contexts.get(plan, bytes);
        context.keepForKinds();
        if (SharedPlans.onlyScratch(plan)) {
            return new PlanSetup(plan, context, Optional.empty());
        }
        SharedAddends addends = SharedAddends.open(plan, context, bytes, sums, environment, shared::remove);
        shared.add(addends);
        return new PlanSetup(plan, context, Optional.of(addends));
    }

    /**
     * Whether a plan computes an operation of calls as the sum of addends, which lie in memory of their own where peers
     * access them.
     */
    public static boolean hasAddends(Plan plan, ReduceOp.Kind op) {
        return PlanWorkload.hasAddends(plan, op);
    }

    /**
     * Prepares a call of what was set up, on buffers of this rank's choice, which may be closed between launches. Not
     * collective.
     *
     * @param call of the plan, the type, the kind of operation and the slice size that were set up
     */
    public PreparedPlan bind(PlanSetup setup, PlanCall call, Preparation preparation) {
        open.freeForgotten();
        List<AutoCloseable> retained = new ArrayList<>();
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            OpenOperations.retain(environment.device(), buffers(call), retained);
            PreparedPlan prepared = bind(setup, call, preparation, resources);
            OpenOperations.handOver(prepared, preparation.hold(), buffers(call), retained);
            return prepared;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            Resources.closeSuppressing(retained, e);
            throw e;
        }
    }

    private PreparedPlan bind(PlanSetup setup, PlanCall call, Preparation preparation, List<AutoCloseable> resources) {
        Plan plan = setup.plan();
        PlanContext context = setup.context();
        if (setup.addends().isEmpty()) {
            PlanWorkload workload = workloadOf(plan, call, resources);
            List<PortBuffers> ports = context.ports().register(workload.input(), workload.output(), resources);
            List<CallAgreement> nothingShared = Collections.nCopies(
                    environment.control().size(), new CallAgreement("", Optional.empty(), Optional.empty()));
            return prepare(plan, call, workload, context, nothingShared, ports, preparation, resources);
        }
        SharedAddends addends = setup.addends().get();
        addends.retain();
        resources.add(addends::release);
        PlanWorkload workload = PlanWorkload.ofAddends(
                plan, environment.control().rank(), call, sliceOf(plan, call), addends.input(), addends.output());
        return prepare(plan, call, workload, context, addends.ranks(), addends.ports(), preparation, resources);
    }

    /**
     * Closes the operations that are still open, or kept by graphs, which waits for their launches on all streams.
     * Replays fail from now on.
     */
    public void closeOperations() {
        open.closeAll();
    }

    /**
     * Compares what ranks prepare.
     *
     * @param own takes what the plan works on at this rank
     * @param resources takes what that holds
     */
    private List<CallAgreement> agree(
            PlanCall call, PlanWorkload[] own, List<AutoCloseable> resources, List<AutoCloseable> retained) {
        byte[][] all = Exchange.gather(environment.control(), "prepare a plan", () -> {
            environment.hints().checkCall(call.options().hints());
            Plan plan = planOf(call);
            own[0] = workloadOf(plan, call, resources);
            CallAgreement agreement = describe(plan, call, own[0]);
            OpenOperations.retain(
                    environment.device(),
                    buffers(call),
                    retained); // here, so that a buffer which is closed on one rank is refused on all
            return agreement.encode();
        });
        List<CallAgreement> ranks = Wire.decodeAll(all, CallAgreement::decode);
        CallAgreement.require(ranks);
        return ranks;
    }

    /** What a call reads and writes. */
    private static List<DeviceBuffer> buffers(PlanCall call) {
        List<DeviceBuffer> buffers = new ArrayList<>(List.of(call.input(), call.output()));
        call.op().memory().ifPresent(buffers::add);
        return buffers;
    }

    private static Plan planOf(PlanCall call) {
        if (!(call.plan() instanceof Plan plan)) {
            throw InvalidArgumentException.of(
                    "plan", call.plan().getClass().getName(), "a plan from ExecutionPlan.load");
        }
        return plan;
    }

    /** Factors may differ by rank, and so are not compared. */
    private CallAgreement describe(Plan plan, PlanCall call, PlanWorkload workload) {
        BackendDevice device = environment.device();
        boolean mapped = BufferAccess.mapsBuffers(plan);
        return new CallAgreement(
                "plan " + plan.label() + " (" + contexts.digest(plan) + "), " + sliceOf(plan, call) + " bytes a slice, "
                        + call.type() + ", " + call.op().kind().label() + ", " + call.packetType(),
                mapped ? Optional.of(device.export(workload.input())) : Optional.empty(),
                mapped ? Optional.of(device.export(workload.output())) : Optional.empty());
    }

    /** Checks a call, and finds out what the plan works on. */
    private PlanWorkload workloadOf(Plan plan, PlanCall call, List<AutoCloseable> resources) {
        long slice = sliceOf(plan, call);
        return PlanWorkload.hasAddends(plan, call.op().kind())
                ? PlanWorkload.ofAddends(plan, environment.control().rank(), call, slice, sums, resources)
                : PlanWorkload.ofCaller(call, slice);
    }

    private long sliceOf(Plan plan, PlanCall call) {
        return new CallCheck(environment.arguments()).check(plan, call);
    }

    private PreparedPlan prepare(
            Plan plan,
            PlanCall call,
            PlanWorkload workload,
            PlanContext context,
            List<CallAgreement> ranks,
            List<PortBuffers> ports,
            Preparation preparation,
            List<AutoCloseable> resources) {
        LaunchSpec spec = new LaunchSpec(
                workload.input(),
                workload.output(),
                workload.type(),
                workload.op(),
                workload.scaling(),
                call.packetType(),
                LaunchGeometry.of(plan, workload.sliceBytes(), context.slotBytes()),
                buffers(workload, ranks, resources),
                ports,
                Collections.nCopies(
                        plan.ranks()
                                .get(environment.control().rank())
                                .switchGroups()
                                .size(),
                        OptionalLong.empty()));
        PreparedLaunch launch = Events.plan(
                plan.name(),
                environment.control().rank(),
                PlanPhase.COMPILE,
                () -> context.engine().prepare(spec));
        resources.add(launch);
        PreparedPlan prepared = new PreparedPlan(plan, preparation, environment, context, launch, resources);
        prepared.describe(OperationWords.of(plan, call, preparation, sliceOf(plan, call)));
        open.add(prepared, context, resources);
        return prepared;
    }

    private List<PeerBuffers> buffers(PlanWorkload workload, List<CallAgreement> ranks, List<AutoCloseable> resources) {
        List<PeerBuffers> buffers = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            buffers.add(
                    rank == environment.control().rank()
                            ? new PeerBuffers(
                                    OptionalLong.of(workload.input().address()),
                                    OptionalLong.of(workload.output().address()))
                            : new PeerBuffers(
                                    map(rank, ranks.get(rank).input(), resources),
                                    map(rank, ranks.get(rank).output(), resources)));
        }
        return buffers;
    }

    private OptionalLong map(int rank, Optional<MemoryHandle> handle, List<AutoCloseable> resources) {
        ControlPlane control = environment.control();
        if (handle.isEmpty()
                || !control.nodes().share(control.rank(), rank)
                || !environment.device().canMap(handle.get())) {
            return OptionalLong.empty();
        }
        MappedMemory mapped = environment.device().map(handle.get());
        resources.add(mapped);
        return OptionalLong.of(mapped.address());
    }

    /** Scratch of all contexts, in bytes, equal on all ranks: for each that of the rank with most. */
    public long scratchBytes() {
        return contexts.all().stream().mapToLong(PlanContext::scratchBytes).sum();
    }

    /** Scratch of those of some contexts that are this executor's, in bytes; see {@link #scratchBytes()}. */
    public long scratchBytes(Set<PlanContext> some) {
        return contexts.all().stream()
                .filter(some::contains)
                .mapToLong(PlanContext::scratchBytes)
                .sum();
    }

    /**
     * Closes the contexts that were set up for kinds of calls, that no kind uses any more, and of which no rank has an
     * operation open. Collective if there are contexts that no kind uses.
     *
     * @param used those that kinds use; equal on all ranks
     */
    public void closeUnused(Set<PlanContext> used) {
        contexts.closeUnused(used);
    }

    /** Frees all contexts. Every rank's launches must have ended. */
    @Override
    public void close() {
        List<AutoCloseable> owned = new ArrayList<>();
        owned.add(sums);
        owned.add(contexts);
        shared.forEach(addends -> owned.add(addends::close));
        Resources.close(owned);
    }
}

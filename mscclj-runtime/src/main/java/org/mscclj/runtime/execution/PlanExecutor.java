package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.BufferAccess;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.binding.LaunchBinding;
import org.mscclj.runtime.execution.binding.PlanSetup;
import org.mscclj.runtime.execution.binding.PlanWorkload;
import org.mscclj.runtime.execution.binding.SharedBuffers;
import org.mscclj.runtime.execution.binding.SumMemory;
import org.mscclj.runtime.execution.context.BufferParts;
import org.mscclj.runtime.execution.context.ContextCache;
import org.mscclj.runtime.execution.context.KindContext;
import org.mscclj.runtime.execution.context.PlanContext;
import org.mscclj.runtime.execution.context.StagedContext;
import org.mscclj.runtime.execution.environment.CallCheck;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.NanCheck;
import org.mscclj.runtime.execution.operation.OpenOperations;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.execution.plan.BufferUse;
import org.mscclj.runtime.execution.plan.PlanDigests;
import org.mscclj.runtime.execution.plan.PlanProof;
import org.mscclj.runtime.execution.plan.PlanVerdicts;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.Feature;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;

/**
 * Prepares plans on one rank. A plan is parsed once and its contexts are kept: a new size costs arithmetic and the
 * agreement of the ranks. Used by one thread at a time.
 */
public final class PlanExecutor implements AutoCloseable {
    /** Why a plan cannot run on a backend without {@link Feature#PLANS}, with a remedy. */
    public static final String NO_PLANS = "another library serves the collectives of this backend, which runs no plans"
            + " (PLANS); open the communicator on another backend for these devices";

    private static final System.Logger LOGGER = System.getLogger(PlanExecutor.class.getName());

    private final ExecutionEnvironment environment;
    private final PlanProof proof;
    private final ContextCache contexts;

    private final SumMemory sums;

    /** The buffers that ranks have shared for classes of calls. */
    private final Set<SharedBuffers> shared = ConcurrentHashMap.newKeySet();

    /** The buffers of the ranks in a plan whose peers access only scratch. */
    private final List<PeerBuffers> unmapped;

    private final OpenOperations open = new OpenOperations();
    private final LaunchBinding binding;

    /** Creates an executor of plans of any origin, without contexts. */
    public PlanExecutor(ExecutionEnvironment environment) {
        this(environment, PlanDigests::of);
    }

    /** Creates an executor of plans of {@link SharedPlans#of(ShippedProgram, ProgramSpec)}, without contexts. */
    public static PlanExecutor ofPrograms(ExecutionEnvironment environment) {
        return new PlanExecutor(environment, PlanDigests::ofProgram);
    }

    private PlanExecutor(ExecutionEnvironment environment, Function<Plan, String> digestOf) {
        this.environment = environment;
        this.contexts = new ContextCache(environment, digestOf);
        this.sums = new SumMemory(environment.device());
        this.unmapped = Collections.nCopies(environment.control().size(), PeerBuffers.UNMAPPED);
        this.binding = new LaunchBinding(environment, open);
        this.proof = new PlanProof(
                environment.control(), environment.options().verification(), PlanVerdicts.OF_PROCESS, LOGGER);
    }

    /** Prepares a call for launches on {@code stream}; see {@link org.mscclj.api.Communicator#prepare}. Collective. */
    public PreparedCall prepare(PlanCall call, Stream stream) {
        return prepare(
                call,
                new Preparation(call.plan().name(), stream, BufferHold.UNTIL_CLOSED)
                        .withOptions(call.options())
                        .withNanCheck(nanCheck(call)));
    }

    /**
     * Checks the input of a call for NaN before the call is executed, if the check is on. This happens before the ranks
     * do anything together.
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
    public PreparedCall prepare(PlanCall call, Preparation preparation) {
        return Staged.together(environment.control(), Topic.of(TopicKind.PREPARE_PLAN), stage(call, preparation));
    }

    /** Returns this rank's part in preparing a call. */
    public Staged<PreparedCall> stage(PlanCall call, Preparation preparation) {
        if (!environment.capabilities().features().contains(Feature.PLANS)) { // equal on all ranks
            throw new UnsupportedException("plan " + call.plan().name() + " cannot run: " + NO_PLANS);
        }
        open.freeForgotten();
        return new StagedCall(environment, contexts, proof, sums, binding, call, preparation);
    }

    /**
     * Verifies a plan for calls with a root, if verification is on. Collective if the plan is new.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException on every rank, if proofs are required and there is none, or
     *     one for other roots
     */
    public void verifyForRoot(Plan plan, int root) {
        proof.check(plan, contexts.digest(plan), root);
    }

    /**
     * Sets a plan up for a class of calls. The setup does not depend on the buffers and the factor. Collective.
     *
     * @param plan a plan for which {@link BufferAccess#onlyScratch} or {@link #hasAddends} returns true, equal on all
     *     ranks
     * @param type the type of the calls' elements, equal on all ranks
     * @param op the operation of the calls, equal on all ranks
     * @param sliceBytes bytes of a slice of a call, equal on all ranks
     */
    public PlanSetup setUp(Plan plan, DataType type, ReduceOp.Kind op, long sliceBytes) {
        return Staged.together(
                environment.control(),
                Topic.of(TopicKind.CONTEXT_MEMORY, plan.label()),
                stage(
                        plan,
                        new SetUpSize(type, op, sliceBytes, sliceBytes),
                        new StagedSetUp.Ready<>(setup -> setup, _ -> {})));
    }

    /**
     * Returns this rank's part in setting a plan up for buffers that no peer accesses; see {@link #setUp}.
     *
     * @param ready action of each rank before any rank launches
     */
    public <R> Staged<R> stage(Plan plan, SetUpSize size, StagedSetUp.Ready<R> ready) {
        return stage(
                plan,
                size,
                SharedPlans.onlyScratch(plan)
                        ? Optional.empty()
                        : Optional.of(SharedBuffers.Stage.ofAddends(plan, size.addendBytes(plan), sums, environment)),
                ready);
    }

    /**
     * Returns this rank's part in setting a plan up for parts of registered allocations, which peers access.
     *
     * @param input the allocation of the input; the same one on all ranks
     * @param output the allocation of the output, likewise
     * @param ready action of each rank before any rank launches
     */
    public <R> Staged<R> stage(
            Plan plan, SetUpSize size, DeviceBuffer input, DeviceBuffer output, StagedSetUp.Ready<R> ready) {
        return stage(
                plan,
                size,
                Optional.of(SharedBuffers.Stage.ofRegistered(plan, new SharedBuffers.Pair(input, output), environment)),
                ready);
    }

    private <R> Staged<R> stage(
            Plan plan, SetUpSize size, Optional<SharedBuffers.Stage> buffers, StagedSetUp.Ready<R> ready) {
        open.freeForgotten();
        return new StagedSetUp<>(
                environment,
                plan,
                size,
                new StagedContext(contexts, plan, size.contextBytes(plan)),
                buffers,
                shared,
                new StagedSetUp.Ready<>(
                        setup -> {
                            reserveSums(plan, size);
                            return ready.making().apply(setup);
                        },
                        ready.undoing()),
                () -> proof.check(plan, contexts.digest(plan)));
    }

    /** Allocates the memory that operations of the class may need later: a rank may not wait for the device then. */
    private void reserveSums(Plan plan, SetUpSize size) {
        if (SharedPlans.onlyScratch(plan) && hasAddends(plan, size.op())) {
            sums.lease(PlanWorkload.sumBytes(
                            plan, environment.control().rank(), size.type(), size.op(), size.addendCapacity()))
                    .close(); // the newest memory stays
        }
    }

    /**
     * Returns whether a plan computes an operation of calls as a sum of addends. The addends lie in separate memory if
     * peers access them.
     */
    public static boolean hasAddends(Plan plan, ReduceOp.Kind op) {
        return PlanWorkload.hasAddends(plan, op);
    }

    /**
     * Prepares a call on a plan that is set up, with buffers of this rank's choice, which may be closed between
     * launches. Not collective.
     *
     * @param call a call of the plan, the type and the kind of operation that were set up, and of slices up to the
     *     capacity
     */
    public PreparedCall bind(PlanSetup setup, PlanCall call, Preparation preparation) {
        return bind(setup, call, new CallCheck(environment.arguments()).check(setup.plan(), call), preparation);
    }

    /**
     * Prepares a call like {@link #bind(PlanSetup, PlanCall, Preparation)}, which the caller has checked.
     *
     * @param sliceBytes bytes of a slice of the call
     */
    public PreparedCall bind(PlanSetup setup, PlanCall call, long sliceBytes, Preparation preparation) {
        open.freeForgotten();
        List<AutoCloseable> retained = new ArrayList<>();
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            OpenOperations.retain(environment.device(), buffers(call), retained);
            PreparedCall prepared = bind(setup, call, sliceBytes, preparation, resources);
            OpenOperations.handOver(prepared, preparation.hold(), buffers(call), retained);
            return prepared;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            Resources.closeSuppressing(retained, e);
            throw e;
        }
    }

    /**
     * Loads what later calls of {@link #bind} need, so that they do not wait for the device. Called before any rank
     * launches.
     *
     * @param call a call as {@code bind} takes it
     */
    public void ready(PlanSetup setup, PlanCall call) {
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            long slice = new CallCheck(environment.arguments()).check(setup.plan(), call);
            setup.context().engine().readyForSizes(spec(setup, call, slice, resources));
        } finally {
            Resources.close(resources);
        }
    }

    private PreparedCall bind(
            PlanSetup setup, PlanCall call, long slice, Preparation preparation, List<AutoCloseable> resources) {
        return binding.bind(
                setup.plan(),
                call,
                slice,
                spec(setup, call, slice, resources),
                setup.context(),
                preparation,
                resources);
    }

    private LaunchSpec spec(PlanSetup setup, PlanCall call, long slice, List<AutoCloseable> resources) {
        Plan plan = setup.plan();
        PlanContext context = setup.context();
        int rank = environment.control().rank();
        if (setup.shared().isEmpty()) {
            return binding.spec(
                    plan,
                    call,
                    PlanWorkload.of(plan, rank, call, slice, sums, resources),
                    context,
                    unmapped,
                    context.ports().buffers(Optional.empty(), Optional.empty()));
        }
        SharedBuffers buffers = setup.shared().get();
        buffers.retain();
        resources.add(buffers::release);
        SharedBuffers.Pair whole = buffers.own();
        PlanWorkload workload = hasAddends(plan, call.op().kind())
                ? PlanWorkload.ofShared(plan, rank, call, slice, whole.input(), whole.output())
                : PlanWorkload.ofCaller(call, slice);
        BufferParts parts = BufferParts.of(
                plan,
                rank,
                workload.sliceBytes(),
                workload.input().address() - whole.input().address(),
                workload.output().address() - whole.output().address());
        return binding.spec(
                plan,
                call,
                workload,
                context,
                buffers.peers(parts),
                context.ports().at(buffers.ports(), parts));
    }

    /**
     * Closes the operations that are still open, or that graphs keep. Waits for their launches on all streams. Replays
     * fail from now on.
     */
    public void closeOperations() {
        open.closeAll();
    }

    /** Returns the buffers that a call reads and writes, a buffer for both once. */
    static List<DeviceBuffer> buffers(PlanCall call) {
        List<DeviceBuffer> buffers = new ArrayList<>(3);
        buffers.add(call.input());
        if (!call.output().equals(call.input())) {
            buffers.add(call.output());
        }
        call.op().memory().ifPresent(buffers::add);
        return buffers;
    }

    /**
     * Returns the scratch of all contexts, in bytes, equal on all ranks: the sum of each context's maximum over the
     * ranks.
     */
    public long scratchBytes() {
        return contexts.all().stream().mapToLong(PlanContext::scratchBytes).sum();
    }

    /**
     * Returns the scratch of the given contexts that belong to this executor, in bytes; see {@link #scratchBytes()}.
     */
    public long scratchBytes(Set<? extends KindContext> some) {
        return contexts.all().stream()
                .filter(some::contains)
                .mapToLong(PlanContext::scratchBytes)
                .sum();
    }

    /**
     * Closes the contexts that were set up for kinds of calls, that no kind uses any more, and of which no rank has an
     * operation open. Collective if there are contexts that no kind uses.
     *
     * @param used contexts that kinds use; equal on all ranks
     */
    public void closeUnused(Set<? extends KindContext> used) {
        contexts.closeUnused(used);
    }

    /** Frees all contexts. Every rank's launches must have ended. */
    @Override
    public void close() {
        List<AutoCloseable> owned = new ArrayList<>();
        owned.add(sums);
        owned.add(contexts);
        shared.forEach(buffers -> owned.add(buffers::close));
        Resources.close(owned);
    }
}

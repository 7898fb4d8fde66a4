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
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.BufferAccess;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.resource.Resources;

/**
 * Prepares plans on one rank. A plan is parsed once and its contexts are kept: a new size costs arithmetic and the
 * agreement of the ranks. Used by one thread at a time.
 */
public final class PlanExecutor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(PlanExecutor.class.getName());

    private final ExecutionEnvironment environment;
    private final PlanProof proof;
    private final ContextCache contexts;

    private final SumMemory sums;

    /** The addends that {@link #setUp} has shared. */
    private final Set<SharedAddends> shared = ConcurrentHashMap.newKeySet();

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
        this.binding = new LaunchBinding(environment, open);
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
    public PreparedPlan prepare(PlanCall call, Preparation preparation) {
        return Staged.together(environment.control(), Topic.of(TopicKind.PREPARE_PLAN), stage(call, preparation));
    }

    /** Returns this rank's part in preparing a call. */
    public Staged<PreparedPlan> stage(PlanCall call, Preparation preparation) {
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
     * Sets a plan up for slices of a size, for a kind of calls. The setup does not depend on the buffers and the
     * factor. Collective.
     *
     * @param plan a plan for which {@link BufferAccess#onlyScratch} or {@link #hasAddends} returns true, equal on all
     *     ranks
     * @param type the type of the calls' elements, equal on all ranks
     * @param op the operation of the calls, equal on all ranks
     * @param sliceBytes bytes of the calls' slices, equal on all ranks
     */
    public PlanSetup setUp(Plan plan, DataType type, ReduceOp.Kind op, long sliceBytes) {
        return Staged.together(
                environment.control(),
                Topic.of(TopicKind.CONTEXT_MEMORY, plan.label()),
                stage(plan, type, op, sliceBytes, new StagedSetUp.Ready<>(setup -> setup, _ -> {})));
    }

    /**
     * Returns this rank's part in setting a plan up; see {@link #setUp}.
     *
     * @param ready action of each rank before any rank launches
     */
    public <R> Staged<R> stage(
            Plan plan, DataType type, ReduceOp.Kind op, long sliceBytes, StagedSetUp.Ready<R> ready) {
        long bytes = PlanWorkload.sliceBytes(plan, type, op, sliceBytes);
        Optional<SharedAddends.Stage> addends = SharedPlans.onlyScratch(plan)
                ? Optional.empty()
                : Optional.of(new SharedAddends.Stage(plan, bytes, sums, environment));
        return new StagedSetUp<>(
                environment, plan, new StagedContext(contexts, plan, bytes), addends, shared, ready, () -> {
                    proof.check(plan, contexts.digest(plan));
                });
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
     * @param call a call of the plan, the type, the kind of operation and the slice size that were set up
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
        long slice = new CallCheck(environment.arguments()).check(plan, call);
        if (setup.addends().isEmpty()) {
            PlanWorkload workload = PlanWorkload.of(plan, environment.control().rank(), call, slice, sums, resources);
            return binding.bind(
                    plan,
                    call,
                    slice,
                    workload,
                    context,
                    Collections.nCopies(environment.control().size(), CallAgreement.NOTHING),
                    context.ports().buffers(Optional.empty(), Optional.empty()),
                    preparation,
                    resources);
        }
        SharedAddends addends = setup.addends().get();
        addends.retain();
        resources.add(addends::release);
        PlanWorkload workload = PlanWorkload.ofAddends(
                plan, environment.control().rank(), call, slice, addends.input(), addends.output());
        return binding.bind(
                plan, call, slice, workload, context, addends.ranks(), addends.ports(), preparation, resources);
    }

    /**
     * Closes the operations that are still open, or that graphs keep. Waits for their launches on all streams. Replays
     * fail from now on.
     */
    public void closeOperations() {
        open.closeAll();
    }

    /** Returns the buffers that a call reads and writes. */
    static List<DeviceBuffer> buffers(PlanCall call) {
        List<DeviceBuffer> buffers = new ArrayList<>(List.of(call.input(), call.output()));
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
     * @param used contexts that kinds use; equal on all ranks
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

package org.mscclj.runtime.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.MappingObstacles;
import org.mscclj.plan.program.ProgramPreference;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.BufferHold;
import org.mscclj.runtime.execution.ExecutionEnvironment;
import org.mscclj.runtime.execution.ExecutorOptions;
import org.mscclj.runtime.execution.NanCheck;
import org.mscclj.runtime.execution.PlanContext;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.PlanWork;
import org.mscclj.runtime.execution.Preparation;
import org.mscclj.runtime.execution.PreparedPlan;
import org.mscclj.runtime.execution.SharedPlans;
import org.mscclj.runtime.execution.Staged;
import org.mscclj.runtime.execution.StagedSetUp;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.selection.PlanRegistryImpl;
import org.mscclj.runtime.signature.Place;
import org.mscclj.runtime.signature.Places;
import org.mscclj.runtime.signature.Role;
import org.mscclj.spi.engine.SumForm;

/**
 * The collectives of a communicator on one rank. Used by one thread at a time; any thread may close buffers.
 *
 * <p>Calls of one kind are set up once, collectively. For later calls each rank finds alone what was set up: the kinds,
 * and what is kept for them, are equal on all ranks.
 */
public final class RankCollectives implements AutoCloseable {
    private static final int MOST_KINDS = 512;

    /**
     * The limit, on each rank, for the scratch of all contexts of shipped programs that kinds keep, as a multiple of
     * the limit for one context. Each root of a collective has a plan of its own.
     */
    private static final int MOST_CONTEXTS_OF_MOST_SCRATCH = 8;

    private final ExecutionEnvironment environment;
    private final Stream stream;
    private final PlanRegistryImpl registry;
    private final PlanExecutor registeredPlans;
    private final PlanExecutor shippedPrograms;
    private final Registrations registrations;
    private final CallRules rules;
    private final KindAgreement agreement;
    private final AlgorithmSelection selection;
    private final PeerMapping mapping;
    private final Retirement retirement = new Retirement();
    private final KindCache kinds;

    /** The buffer that barriers reduce, from the first barrier on. Only calls that pass it are barriers. */
    private @Nullable DeviceBuffer token;

    /**
     * Creates the collectives of a rank, with nothing set up.
     *
     * @param stream the stream of launches that name none
     * @param registry the plans that have priority over the shipped programs
     * @param executor prepares those plans; the caller owns it
     */
    public RankCollectives(
            ExecutionEnvironment environment, Stream stream, PlanRegistryImpl registry, PlanExecutor executor) {
        ControlPlane control = environment.control();
        this.environment = environment;
        this.stream = stream;
        this.registry = registry;
        this.registeredPlans = executor;
        ExecutorOptions options = environment.options();
        ProgramPreference preference = environment.device().programPreference();
        long mostScratchBytes = Math.min(preference.scratchLimit(), options.scratchLimit());
        this.shippedPrograms = PlanExecutor.ofPrograms(environment.withOptions(new ExecutorOptions(
                mostScratchBytes,
                options.firstFlag(),
                PlanVerification.OFF,
                options.checksCalls(),
                options.watchdog(),
                options.recorderEntries()))); // shipped programs are verified when mscclj is built
        this.kinds = new KindCache(
                MOST_KINDS,
                shippedPrograms::scratchBytes,
                MOST_CONTEXTS_OF_MOST_SCRATCH * mostScratchBytes,
                retirement);
        this.registrations = new Registrations(environment.device());
        this.rules = new CallRules(environment.arguments(), environment.hints());
        this.agreement = new KindAgreement(control);
        this.mapping = new PeerMapping(control, environment.device());
        this.selection = new AlgorithmSelection(control.nodes(), environment.capabilities(), preference, registry);
    }

    /**
     * Finds out which ranks can map each other's memory, so that the first call need not do it. Collective. Without
     * this method, the first call finds it out.
     *
     * @param unmapped the ranks that cannot map the memory of all others on their node, if the ranks have tried it
     */
    public void connect(Optional<List<Integer>> unmapped) {
        unmapped.ifPresent(mapping::learn);
        MappingObstacles _ = mapping.obstacles();
    }

    /** Registers a buffer that all ranks have just allocated together. */
    public void register(DeviceBuffer buffer) {
        registrations.add(buffer);
    }

    /** See {@link org.mscclj.api.Communicator#prepare(BarrierCall)}. Collective. */
    public PreparedPlan prepare(BarrierCall call) {
        return prepare(reduction(call));
    }

    /** See {@link org.mscclj.api.Communicator#execute(BarrierCall)}. Collective the first time. */
    public Work execute(BarrierCall call) {
        return execute(reduction(call));
    }

    /**
     * Returns the reduction that implements a barrier: each rank sends its contribution when its stream reaches the
     * barrier, and waits for the contributions of all ranks.
     */
    private CollectiveCall reduction(BarrierCall call) {
        DeviceBuffer known = token;
        return CollectiveCall.allReduce(known == null ? setUpBarriers(call) : known, DataType.INT32)
                .options(call.options());
    }

    private DeviceBuffer setUpBarriers(BarrierCall call) {
        DeviceBuffer[] made = new DeviceBuffer[1];
        try (CallScope _ = environment.control().during("", call.options().timeout());
                LaunchWatch _ = new LaunchWatch(environment, () -> "makes its first barrier of streams")) {
            Exchange.gather(environment.control(), Topic.of(TopicKind.STREAM_BARRIER), () -> {
                made[0] = environment.device().allocate(DataType.INT32.byteSize());
                return new byte[0];
            });
        } catch (RuntimeException | Error e) {
            if (made[0] != null) {
                made[0].close();
            }
            throw e;
        }
        token = made[0];
        return made[0];
    }

    private CallShape shapeOf(CollectiveCall call, boolean part) {
        CallShape shape = rules.shapeOf(call);
        if (part) {
            return shape.as(Role.PART);
        }
        return token != null && call.input().equals(token) ? shape.as(Role.BARRIER) : shape;
    }

    /** See {@link org.mscclj.api.Communicator#prepare(CollectiveCall)}. Collective. */
    public PreparedPlan prepare(CollectiveCall call) {
        return prepare(call, nanCheck(call), false);
    }

    /**
     * Prepares a call, like {@link #prepare(CollectiveCall)}.
     *
     * @param nanCheck the check of the input of each launch; null for none
     * @param part whether the call is a part of a variable-size reduce-scatter; equal on all ranks
     */
    PreparedPlan prepare(CollectiveCall call, @Nullable NanCheck nanCheck, boolean part) {
        retirement.sweep();
        try (CallScope _ =
                environment.control().during(words(call, part), call.options().timeout())) {
            return prepareTogether(call, nanCheck, part);
        }
    }

    private PreparedPlan prepareTogether(CollectiveCall call, @Nullable NanCheck nanCheck, boolean part) {
        CallKind[] own = new CallKind[1];
        boolean samePlaces = agreement.requireEqualShapes(
                TopicKind.PREPARE_COLLECTIVE, () -> own[0] = checkedKind(call, part, false));
        return choose(
                own[0],
                samePlaces,
                choice -> executor(choice)
                        .stage(
                                planCall(choice.plan(), call),
                                preparation(choice, own[0], BufferHold.UNTIL_CLOSED, samePlaces)
                                        .withOptions(call.options())
                                        .withNanCheck(nanCheck)));
    }

    /** See {@link org.mscclj.api.Communicator#execute(CollectiveCall)}. Collective if the kind of the call is new. */
    public Work execute(CollectiveCall call) {
        NanCheck check = nanCheck(call);
        if (check != null) {
            check.look(stream); // before ranks compare or set up anything: a rank that is refused here returns alone
        }
        return execute(call, false);
    }

    private @Nullable NanCheck nanCheck(CollectiveCall call) {
        if (!NanCheck.isWanted(environment, call.options(), call.type()) || !readsInput(call)) {
            return null;
        }
        return NanCheck.of(
                environment,
                call.collective().label(),
                call.type(),
                List.of(new NanCheck.Input("the input", call.input())));
    }

    private boolean readsInput(CollectiveCall call) {
        return !call.collective().startsAtRoot()
                || call.root() == environment.control().rank();
    }

    /**
     * Executes a call, like {@link #execute(CollectiveCall)}, without a check of the input.
     *
     * @param part whether the call is a part of a variable-size reduce-scatter, whose buffers count as plain memory
     *     wherever they lie, so that locations may differ between ranks; equal on all ranks
     */
    Work execute(CollectiveCall call, boolean part) {
        retirement.sweep();
        if (environment.options().checksCalls()) {
            try (CallScope _ = environment.control().during("", call.options().timeout())) {
                agreement.requireEqualKinds(TopicKind.LAUNCH, () -> checkedKind(call, part, part));
            }
        }
        Launchable known = known(call, part);
        Launchable launchable = known == null ? setUp(call, part) : known;
        return PlanWork.launch(launchable.on(call), environment, call.options());
    }

    /** Returns whether the parts of a variable-size reduce-scatter are all of kinds that were set up. */
    boolean areKnown(List<CollectiveCall> calls) {
        return calls.stream().allMatch(call -> known(call, true) != null);
    }

    /**
     * Checks those arguments of a part of a variable-size reduce-scatter that one rank can check alone.
     *
     * @throws InvalidArgumentException if the part is not well formed
     */
    void check(CollectiveCall call) {
        CallKind _ = checkedKind(call, true, true);
    }

    private Launchable setUp(CollectiveCall call, boolean part) {
        try (CallScope _ =
                environment.control().during(words(call, part), call.options().timeout())) {
            return setUpTogether(call, part);
        }
    }

    private Launchable setUpTogether(CollectiveCall call, boolean part) {
        CallKind[] own = new CallKind[1];
        try (LaunchWatch _ = new LaunchWatch(environment, () -> complaint(call, part))) {
            agreement.requireEqualKinds(TopicKind.EXECUTE_COLLECTIVE, () -> own[0] = checkedKind(call, part, part));
        }
        Launchable launchable = choose(own[0], true, choice -> stage(choice, own[0], call));
        kinds.put(own[0], launchable);
        closeUnusedContexts();
        return launchable;
    }

    /**
     * Closes the contexts that no kept kind uses. The kept kinds, and the contexts that they use, are equal on all
     * ranks. Collective if a context is unused.
     */
    private void closeUnusedContexts() {
        retirement.sweep();
        Set<PlanContext> used = kinds.contexts();
        registeredPlans.closeUnused(used);
        shippedPrograms.closeUnused(used);
    }

    private Staged<Launchable> stage(Choice choice, CallKind kind, CollectiveCall first) {
        Plan plan = choice.plan();
        PlanExecutor executor = executor(choice);
        Preparation preparation = preparation(choice, kind, BufferHold.IN_FLIGHT, true);
        boolean peersAccessNoBuffer = SharedPlans.onlyScratch(plan) || hasAddends(plan, first.op());
        if (!peersAccessNoBuffer) {
            return executor.stage(planCall(plan, first), preparation).then(RegisteredLaunch::new);
        }
        CallShape shape = kind.shape();
        return executor.stage(
                plan,
                shape.type(),
                shape.op().kind(),
                shape.sliceBytes(),
                new StagedSetUp.Ready<>(
                        setup -> {
                            PlainLaunch launch = new PlainLaunch(
                                    setup, call -> executor.bind(setup, planCall(plan, call), preparation), retirement);
                            PreparedPlan _ = launch.on(first);
                            return launch;
                        },
                        Launchable::abandon));
    }

    private static boolean hasAddends(Plan plan, ReduceOp op) {
        return PlanExecutor.hasAddends(plan, op.kind());
    }

    private PlanExecutor executor(Choice choice) {
        return choice.shipped() ? shippedPrograms : registeredPlans;
    }

    private Preparation preparation(Choice choice, CallKind kind, BufferHold hold, boolean samePlaces) {
        return new Preparation(choice.algorithm(), stream, hold)
                .withRoot(rootOf(kind))
                .withBarrier(kind.shape().role() == Role.BARRIER)
                .withOperation(kind.signature().operation())
                .withPlaces(samePlaces ? kind.places() : Places.PLAIN);
    }

    private static int rootOf(CallKind kind) {
        return kind.shape().collective().hasRoot() ? kind.shape().root() : -1;
    }

    private static PlanCall planCall(Plan plan, CollectiveCall call) {
        return PlanCall.of(plan, call.input(), call.output(), call.type()).op(call.op());
    }

    /**
     * Returns what was set up for such calls; null if nothing was, or if the call is not well formed, which the ranks
     * find out together.
     */
    private @Nullable Launchable known(CollectiveCall call, boolean part) {
        try {
            return kinds.get(kindOf(call, part, part));
        } catch (InvalidArgumentException refused) {
            return null;
        }
    }

    private String words(CollectiveCall call, boolean part) {
        try {
            return shapeOf(call, part).toString();
        } catch (InvalidArgumentException refused) {
            return "a call that is refused";
        }
    }

    /** Returns what this rank does while other ranks launch a call that was set up before. */
    private String complaint(CollectiveCall call, boolean part) {
        try {
            return "makes a call that was not set up, "
                    + checkedKind(call, part, part).shape();
        } catch (InvalidArgumentException refused) {
            return "refuses its call (" + refused.getMessage() + ")";
        }
    }

    private CallKind checkedKind(CollectiveCall call, boolean part, boolean plain) {
        for (DeviceBuffer buffer : new DeviceBuffer[] {call.input(), call.output()}) {
            environment.device().retain(buffer); // throws if the buffer is closed, or of another backend
            environment.device().release(buffer);
        }
        return kindOf(call, part, plain);
    }

    private CallKind kindOf(CollectiveCall call, boolean part, boolean plain) {
        CallShape shape = shapeOf(call, part);
        if (plain || shape.sliceBytes() == 0) {
            return new CallKind(shape, Places.PLAIN, registry.changes());
        }
        if (shape.inPlace()) {
            Place place = registrations.placeOf(CallRules.larger(call));
            return new CallKind(shape, new Places(place, place), registry.changes());
        }
        return new CallKind(
                shape,
                new Places(registrations.placeOf(call.input()), registrations.placeOf(call.output())),
                registry.changes());
    }

    /**
     * Selects an algorithm on every rank, checks that the selections are equal, and sets the algorithm up. Collective.
     *
     * @param staging makes this rank's part of the set-up of the selected algorithm
     */
    private <T> T choose(CallKind kind, boolean samePlaces, Function<Choice, Staged<T>> staging) {
        MappingObstacles obstacles = mapping.obstacles();
        return Staged.together(
                environment.control(),
                Topic.of(TopicKind.CHOOSE),
                new StagedChoice<>(
                        () -> selection.choose(kind.shape(), mayAccessBuffers(kind, samePlaces), obstacles),
                        choice -> {
                            if (!choice.shipped() && choice.plan().collective().hasRoot()) {
                                registeredPlans.verifyForRoot(
                                        choice.plan(), kind.shape().root());
                            }
                        },
                        staging));
    }

    /**
     * Returns whether peers may access the memory on which a plan works: buffers at equal locations, or addends, whose
     * memory is shared for this purpose.
     */
    private boolean mayAccessBuffers(CallKind kind, boolean samePlaces) {
        boolean addends =
                SumForm.isFor(kind.shape().op().kind(), environment.control().size());
        return addends || (samePlaces && kind.places().areRegistered());
    }

    /** Returns the size of the scratch of the contexts of shipped programs, in bytes; equal on all ranks. */
    long scratchBytes() {
        return shippedPrograms.scratchBytes();
    }

    /** Closes the prepared operations of shipped programs. Waits for launches in flight. */
    public void closeOperations() {
        shippedPrograms.closeOperations();
    }

    /** Frees all contexts. The launches of all ranks must have ended. */
    @Override
    public void close() {
        List<AutoCloseable> owned = new ArrayList<>();
        if (token != null) {
            owned.add(token);
        }
        owned.add(shippedPrograms);
        Resources.close(owned); // last first
    }
}

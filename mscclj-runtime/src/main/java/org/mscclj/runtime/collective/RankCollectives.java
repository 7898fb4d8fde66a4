package org.mscclj.runtime.collective;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.Work;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.Staged;
import org.mscclj.runtime.execution.context.KindContext;
import org.mscclj.runtime.execution.context.PeerReports;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.execution.operation.NanCheck;
import org.mscclj.runtime.execution.operation.PlanWork;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.fallback.FallbackSetting;
import org.mscclj.runtime.fallback.RankFallback;
import org.mscclj.runtime.foreign.RankNatives;
import org.mscclj.runtime.multicast.MulticastSetUp;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.selection.AlgorithmSelection;
import org.mscclj.runtime.selection.Choice;
import org.mscclj.runtime.selection.FollowedTuning;
import org.mscclj.runtime.selection.MissingNatives;
import org.mscclj.runtime.selection.RegisteredAlgorithms;
import org.mscclj.runtime.selection.SelectionReport;
import org.mscclj.spi.Feature;

/**
 * The collectives of a communicator on one rank. Used by one thread at a time; any thread may close buffers.
 *
 * <p>Calls of one class and algorithm are set up once, collectively. For later calls, of any size and on any buffers of
 * the class, each rank finds alone what was set up, and binds it alone: the classes, and what is kept for them, are
 * equal on all ranks.
 */
public final class RankCollectives implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(RankCollectives.class.getName());
    private static final int MAX_CLASSES = 512;

    /**
     * The limit, on each rank, for the scratch of all contexts of shipped programs that classes keep, as a multiple of
     * the limit for one context. Each root of a collective has a plan of its own.
     */
    private static final int MAX_CONTEXTS_OF_MOST_SCRATCH = 8;

    private final ExecutionEnvironment environment;
    private final Stream stream;
    private final PlanExecutor registeredPlans;
    private final PlanExecutor shippedPrograms;
    private final Registrations registrations;
    private final StreamBarriers barriers;
    private final PlacedCalls calls;
    private final SignatureAgreement agreement;
    private final AlgorithmSelection selection;
    private final PeerMapping mapping;
    private final RankTuning tuning;
    private final RegisteredAlgorithms registry;
    private final RankNatives natives;
    private final RankFallback fallback;
    private final PendingClose retirement = new PendingClose();
    private final AlgorithmSetUps setUps;
    private final KnownCalls known;

    /**
     * Creates the collectives of a rank, with nothing set up.
     *
     * @param stream the stream of launches that name none
     * @param registry the plans and native algorithms that have priority over the shipped programs
     * @param executor prepares those plans; the caller owns it
     * @param communicator returns the communicator of these collectives, for native algorithms
     */
    public RankCollectives(
            ExecutionEnvironment environment,
            Stream stream,
            RegisteredAlgorithms registry,
            PlanExecutor executor,
            Supplier<Communicator> communicator) {
        ControlPlane control = environment.control();
        this.environment = environment;
        this.stream = stream;
        this.registry = registry;
        this.registeredPlans = executor;
        ExecutorOptions options = environment.options();
        ProgramPreference preference = options.preference(environment.device().programPreference());
        long mostScratchBytes = preference.scratchLimit();
        this.shippedPrograms =
                PlanExecutor.ofPrograms(environment.withOptions(options.forShippedPrograms(mostScratchBytes)));
        this.registrations = new Registrations(
                environment.device(),
                () -> MulticastSetUp.needsOfMemory(
                        environment.device(), environment.links().multicast()));
        this.barriers = new StreamBarriers(environment);
        this.calls = new PlacedCalls(environment, registrations, registry, barriers);
        this.agreement = new SignatureAgreement(control);
        this.mapping = new PeerMapping(control, environment.device(), environment.links()::multicastMember);
        this.tuning = new RankTuning(
                control,
                environment.device(),
                environment.capabilities().features().contains(Feature.PLANS));
        this.natives = new RankNatives(environment, communicator);
        this.fallback = new RankFallback(environment, FallbackSetting.ofProcess());
        this.selection =
                new AlgorithmSelection(control.nodes(), environment.capabilities(), preference, registry, fallback);
        this.setUps = new AlgorithmSetUps(
                environment, stream, executor, shippedPrograms, registrations, fallback, natives, retirement);
        this.known = new KnownCalls(
                calls,
                new ClassCache(
                        MAX_CLASSES,
                        contexts ->
                                shippedPrograms.scratchBytes(contexts) > MAX_CONTEXTS_OF_MOST_SCRATCH * mostScratchBytes
                                        || RankNatives.areTooMany(contexts)),
                selection,
                mapping,
                registrations,
                registry);
    }

    /**
     * Finds out which ranks can map each other's memory, so that the first call need not do it, and which measured
     * choices are for them. Collective. Called once, before the first call.
     *
     * @param reports what the ranks can do together; empty if they have not tried
     */
    public void connect(Optional<PeerReports> reports) {
        reports.ifPresent(mapping::learn);
        MappingObstacles _ = mapping.obstacles();
        FollowedTuning followed = tuning.follow(environment.options().tuning(), mapping);
        if (mapping.hasMulticast()) {
            selection.useSwitch();
        }
        selection.follow(followed);
        if (environment.control().rank() == 0) {
            MissingNatives.log(followed, registry);
        }
    }

    /** See {@link org.mscclj.api.Communicator#isNvlsSupported}. */
    public boolean hasMulticast() {
        return mapping.hasMulticast();
    }

    /** See {@link org.mscclj.api.Communicator#tuningKey}. Collective the first time. */
    public TuningKey tuningKey() {
        return tuning.key(mapping);
    }

    /** Sets classes of calls up, like their first calls, and launches nothing. Collective. */
    public void warmUp(List<WarmUp> classes) {
        WarmUpCalls calling = new WarmUpCalls(environment, selection.thresholds(), call -> {
            if (!known.isSetUp(call, false)) {
                PreparedCall _ = setUp(call, false);
            }
        });
        classes.forEach(calling::setUp);
    }

    /** See {@link org.mscclj.api.Communicator#allocate(long)}. Collective. */
    public DeviceBuffer allocate(long bytes) {
        return registrations.allocate(bytes, environment.control());
    }

    /** See {@link org.mscclj.api.Communicator#register(DeviceBuffer, java.time.Duration)}. Collective. */
    public void register(DeviceBuffer buffer) {
        registrations.addTogether(buffer, environment.control());
    }

    /** See {@link org.mscclj.api.Communicator#prepare(BarrierCall)}. Collective. */
    public PreparedCall prepare(BarrierCall call) {
        return prepare(barriers.reduction(call));
    }

    /** See {@link org.mscclj.api.Communicator#execute(BarrierCall, Stream)}. Collective the first time. */
    public Work execute(BarrierCall call, Stream on) {
        return execute(barriers.reduction(call), on);
    }

    /** See {@link org.mscclj.api.Communicator#prepare(CollectiveCall)}. Collective. */
    public PreparedCall prepare(CollectiveCall call) {
        return prepare(call, NanCheck.of(environment, call), false);
    }

    /**
     * Prepares a call, like {@link #prepare(CollectiveCall)}.
     *
     * @param nanCheck the check of the input of each launch; null for none
     * @param part whether the call is a part of a variable-size reduce-scatter; equal on all ranks
     */
    PreparedCall prepare(CollectiveCall call, @Nullable NanCheck nanCheck, boolean part) {
        retirement.sweep();
        try (CallScope _ = environment
                .control()
                .during(calls.name(call, part), call.options().timeout())) {
            return prepareTogether(call, nanCheck, part);
        }
    }

    private PreparedCall prepareTogether(CollectiveCall call, @Nullable NanCheck nanCheck, boolean part) {
        PlacedCall[] own = new PlacedCall[1];
        boolean samePlaces = agreement.requireEqualShapes(
                TopicKind.PREPARE_COLLECTIVE, () -> own[0] = calls.checked(call, part, false));
        PreparedCall prepared =
                choose(own[0], samePlaces, choice -> setUps.prepared(choice, own[0], call, samePlaces, nanCheck));
        log("prepared", own[0], samePlaces);
        closeUnusedNatives();
        return prepared;
    }

    /** {@link #execute(CollectiveCall, Stream)} on the stream of launches that name none. */
    public Work execute(CollectiveCall call) {
        return execute(call, stream);
    }

    /**
     * See {@link org.mscclj.api.Communicator#execute(CollectiveCall, Stream)}. Collective if the class of the call, or
     * the algorithm of its size, is not set up.
     */
    public Work execute(CollectiveCall call, Stream on) {
        NanCheck check = NanCheck.of(environment, call);
        if (check != null) {
            check.look(on); // before ranks compare or set up anything: a rank that is refused here returns alone
        }
        return execute(call, on, false);
    }

    /**
     * Executes a call, like {@link #execute(CollectiveCall, Stream)}, without a check of the input.
     *
     * @param part whether the call is a part of a variable-size reduce-scatter, whose buffers count as plain memory
     *     wherever they lie, so that locations may differ between ranks; equal on all ranks
     */
    Work execute(CollectiveCall call, Stream on, boolean part) {
        retirement.sweep();
        if (environment.options().checksCalls()) {
            try (CallScope _ = environment.control().during("", call.options().timeout())) {
                agreement.requireEqualKinds(TopicKind.LAUNCH, () -> calls.checked(call, part, part));
            }
        }
        PreparedCall operation = known.find(call, part);
        return PlanWork.launch(operation == null ? setUp(call, part) : operation, environment, call.options(), on);
    }

    /** Returns whether the parts of a variable-size reduce-scatter are all of classes and sizes that were set up. */
    boolean areKnown(List<CollectiveCall> parts) {
        return parts.stream().allMatch(call -> known.isSetUp(call, true));
    }

    /**
     * Checks those arguments of a part of a variable-size reduce-scatter that one rank can check alone.
     *
     * @throws InvalidArgumentException if the part is not well formed
     */
    void check(CollectiveCall call) {
        PlacedCall _ = calls.checked(call, true, true);
    }

    private PreparedCall setUp(CollectiveCall call, boolean part) {
        try (CallScope _ = environment
                .control()
                .during(calls.name(call, part), call.options().timeout())) {
            return setUpTogether(call, part);
        }
    }

    private PreparedCall setUpTogether(CollectiveCall call, boolean part) {
        PlacedCall[] own = new PlacedCall[1];
        try (LaunchWatch _ = new LaunchWatch(environment, () -> calls.complaint(call, part))) {
            agreement.requireEqualKinds(TopicKind.EXECUTE_COLLECTIVE, () -> own[0] = calls.checked(call, part, part));
        }
        PlacedCall kind = own[0];
        CachedLaunch launch = choose(kind, true, choice -> switch (choice) {
            case Choice.OfPlan ofPlan -> setUps.ofClass(ofPlan, kind, call, mostBytes(ofPlan, kind));
            case Choice.OfNative ofNative -> setUps.ofClass(ofNative, kind, call);
            case Choice.OfFallback ofFallback -> setUps.ofClass(ofFallback, kind, call);
        });
        known.put(kind, launch);
        log("set up", kind, true);
        closeUnusedContexts();
        return launch.on(call, kind);
    }

    /** Logs what was done for a call, and each candidate for it with the reason why it was taken or not. */
    private void log(String done, PlacedCall kind, boolean samePlaces) {
        if (LOGGER.isLoggable(Level.DEBUG)) {
            LOGGER.log(
                    Level.DEBUG,
                    "rank " + environment.control().rank() + " has " + done + " " + explain(kind, samePlaces));
        }
    }

    /**
     * Closes the contexts that no kept class uses. The kept classes, and the contexts that they use, are equal on all
     * ranks. Collective if a context is unused.
     */
    private void closeUnusedContexts() {
        closeUnusedNatives();
        Set<KindContext> used = known.contexts();
        registeredPlans.closeUnused(used);
        shippedPrograms.closeUnused(used);
    }

    /** Does the same for the contexts of native algorithms, which preparing a call makes too. */
    private void closeUnusedNatives() {
        known.forget(natives.outdated());
        retirement.sweep();
        natives.closeUnused(known.contexts());
    }

    /**
     * Returns the most bytes of a slice that the scratch should serve in one round: that of the largest call that has
     * the same algorithm, or the largest scratch if the limits of the algorithm are not known, and a call has been too
     * large for what was set up.
     */
    private long mostBytes(Choice.OfPlan choice, PlacedCall kind) {
        return known.hasAlgorithm(kind, choice)
                ? Long.MAX_VALUE
                : selection.mostBytes(choice, kind.shape(), kind.isRegistered(true), mapping.obstacles());
    }

    /**
     * Selects an algorithm on every rank, checks that the selections are equal, and sets the algorithm up. Collective.
     *
     * @param staging makes this rank's part of the set-up of the selected algorithm
     */
    private <T> T choose(PlacedCall kind, boolean samePlaces, Function<Choice, Staged<T>> staging) {
        MappingObstacles obstacles = mapping.obstacles();
        return Staged.together(
                environment.control(),
                Topic.of(TopicKind.CHOOSE),
                new StagedChoice<>(
                        () -> selection.choose(kind.shape(), kind.isRegistered(samePlaces), obstacles),
                        choice -> {
                            if (choice instanceof Choice.OfPlan ofPlan
                                    && !ofPlan.shipped()
                                    && ofPlan.plan().collective().hasRoot()) {
                                registeredPlans.verifyForRoot(
                                        ofPlan.plan(), kind.shape().root());
                            }
                        },
                        staging));
    }

    /** See {@link org.mscclj.api.Communicator#explain}. Not collective. */
    public Selection explain(CollectiveCall call) {
        return explain(calls.checked(call, false, false), true);
    }

    private Selection explain(PlacedCall kind, boolean samePlaces) {
        return SelectionReport.of(selection, kind.shape(), kind.isRegistered(samePlaces), mapping.obstacles());
    }

    /** See {@link org.mscclj.api.Communicator#shape}. Not collective. */
    public CallShape shape(CollectiveCall call) {
        PlacedCall kind = calls.checked(call, false, false);
        return selection.callShape(kind.shape(), kind.isRegistered(true));
    }

    /** Closes what calls of a native algorithm use, which is no longer registered. Waits for its launches. */
    public void release(NativeAlgorithm<?> algorithm) {
        natives.release(algorithm);
    }

    /** Returns the size of the scratch of the contexts of shipped programs, in bytes; equal on all ranks. */
    long scratchBytes() {
        return shippedPrograms.scratchBytes();
    }

    /** Closes the prepared operations, except for those of registered plans. Waits for launches in flight. */
    public void closeOperations() {
        Resources.close(List.of(shippedPrograms::closeOperations, natives::closeOperations, fallback::closeOperations));
    }

    /** Frees all contexts. The launches of all ranks must have ended. */
    @Override
    public void close() {
        Resources.close(List.of(barriers, shippedPrograms, natives, fallback)); // last first
    }
}

package org.mscclj.runtime.collective;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.SetUpSize;
import org.mscclj.runtime.execution.Staged;
import org.mscclj.runtime.execution.StagedSetUp;
import org.mscclj.runtime.execution.binding.OperationWords;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.BufferHold;
import org.mscclj.runtime.execution.operation.NanCheck;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.fallback.RankFallback;
import org.mscclj.runtime.foreign.ForeignSetup;
import org.mscclj.runtime.foreign.RankNatives;
import org.mscclj.runtime.selection.CallDescriptor;
import org.mscclj.runtime.selection.Choice;
import org.mscclj.runtime.signature.BufferLocations;
import org.mscclj.runtime.signature.Role;

/** Sets the chosen algorithms of calls up on a rank. Used by one thread at a time. */
final class AlgorithmSetUps {
    private final ExecutionEnvironment environment;
    private final Stream stream;
    private final PlanExecutor registeredPlans;
    private final PlanExecutor shippedPrograms;
    private final Registrations registrations;
    private final RankFallback fallback;
    private final RankNatives natives;
    private final PendingClose retirement;

    /**
     * Creates set-ups.
     *
     * @param stream the stream of launches that name none
     * @param retirement closes the operations of set-ups that end
     */
    AlgorithmSetUps(
            ExecutionEnvironment environment,
            Stream stream,
            PlanExecutor registeredPlans,
            PlanExecutor shippedPrograms,
            Registrations registrations,
            RankFallback fallback,
            RankNatives natives,
            PendingClose retirement) {
        this.environment = environment;
        this.stream = stream;
        this.registeredPlans = registeredPlans;
        this.shippedPrograms = shippedPrograms;
        this.registrations = registrations;
        this.fallback = fallback;
        this.natives = natives;
        this.retirement = retirement;
    }

    /**
     * Returns this rank's part in preparing a call.
     *
     * @param samePlaces whether the buffers of all ranks have the locations of the call
     * @param nanCheck the check of the input of each launch; null for none
     */
    Staged<PreparedCall> prepared(
            Choice choice, PlacedCall kind, CollectiveCall call, boolean samePlaces, @Nullable NanCheck nanCheck) {
        Preparation preparation = preparation(choice, kind, BufferHold.UNTIL_CLOSED, samePlaces)
                .withOptions(call.options())
                .withNanCheck(nanCheck);
        return switch (choice) {
            case Choice.OfPlan ofPlan -> executor(ofPlan).stage(planCall(ofPlan.plan(), call), preparation);
            case Choice.OfNative ofNative -> {
                CallKind calls = callKind(kind, call, samePlaces);
                yield natives.stage(
                        ofNative.nativeAlgorithm(),
                        calls,
                        () -> bindToNative(ofNative, calls, call, kind, preparation),
                        PreparedCall::close);
            }
            case Choice.OfFallback _ ->
                fallback.stage(
                        kind.shape().forFallback(), () -> bindToFallback(call, kind, preparation), PreparedCall::close);
        };
    }

    /** Returns this rank's part in setting a class of calls up for a native algorithm. */
    Staged<CachedLaunch> ofClass(Choice.OfNative choice, PlacedCall kind, CollectiveCall first) {
        Preparation preparation = preparation(choice, kind, BufferHold.IN_FLIGHT, false);
        CallKind calls = callKind(kind, first, true);
        return natives.stage(
                choice.nativeAlgorithm(),
                calls,
                () -> {
                    CachedLaunch launch = new CachedLaunch(
                            choice,
                            new ForeignSetup(Optional.of(natives.context(choice.nativeAlgorithm(), calls))),
                            (call, of) -> bindToNative(choice, calls, call, of, preparation.withPlaces(of.places())),
                            retirement);
                    PreparedCall _ = launch.on(first, kind);
                    return launch;
                },
                CachedLaunch::abandon);
    }

    /** Returns this rank's part in setting a class of calls up for the fallback. */
    Staged<CachedLaunch> ofClass(Choice.OfFallback choice, PlacedCall kind, CollectiveCall first) {
        Preparation preparation = preparation(choice, kind, BufferHold.IN_FLIGHT, false);
        return fallback.stage(
                kind.shape().forFallback(),
                () -> {
                    CachedLaunch launch = new CachedLaunch(
                            choice,
                            new ForeignSetup(Optional.empty()),
                            (call, of) -> bindToFallback(call, of, preparation.withPlaces(of.places())),
                            retirement);
                    PreparedCall _ = launch.on(first, kind);
                    return launch;
                },
                CachedLaunch::abandon);
    }

    /**
     * Returns this rank's part in setting a class of calls up for a plan.
     *
     * @param first the first call of the class
     * @param mostBytes the most bytes of a slice that the scratch should serve in one round
     */
    Staged<CachedLaunch> ofClass(Choice.OfPlan choice, PlacedCall kind, CollectiveCall first, long mostBytes) {
        Plan plan = choice.plan();
        PlanExecutor executor = executor(choice);
        CallDescriptor shape = kind.shape();
        SetUpSize size = new SetUpSize(shape.type(), shape.op().kind(), shape.sliceBytes(), mostBytes);
        Preparation preparation = preparation(choice, kind, BufferHold.IN_FLIGHT, false);
        StagedSetUp.Ready<CachedLaunch> ready = new StagedSetUp.Ready<>(
                setup -> {
                    CachedLaunch launch = new CachedLaunch(
                            choice,
                            setup,
                            (call, of) -> executor.bind(
                                    setup,
                                    planCall(plan, call),
                                    of.shape().sliceBytes(),
                                    of.places().equals(BufferLocations.PLAIN)
                                            ? preparation
                                            : preparation.withPlaces(of.places())),
                            retirement);
                    executor.ready(setup, planCall(plan, first));
                    PreparedCall _ = launch.on(first, kind);
                    return launch;
                },
                CachedLaunch::abandon);
        if (SharedPlans.onlyScratch(plan) || hasAddends(plan, first.op())) {
            return executor.stage(plan, size, ready);
        }
        return executor.stage(
                plan,
                size,
                registrations.allocationOf(shape.inPlace() ? CallValidation.larger(first) : first.input()),
                registrations.allocationOf(shape.inPlace() ? CallValidation.larger(first) : first.output()),
                ready);
    }

    private CallKind callKind(PlacedCall kind, CollectiveCall call, boolean samePlaces) {
        CallDescriptor shape = kind.shape();
        boolean registered = kind.isRegistered(samePlaces);
        return new CallKind(
                shape.collective(),
                shape.type(),
                shape.op(),
                shape.root(),
                shape.inPlace(),
                registered ? Optional.of(allocation(shape, call, call.input())) : Optional.empty(),
                registered ? Optional.of(allocation(shape, call, call.output())) : Optional.empty());
    }

    private DeviceBuffer allocation(CallDescriptor shape, CollectiveCall call, DeviceBuffer buffer) {
        return registrations.allocationOf(shape.inPlace() ? CallValidation.larger(call) : buffer);
    }

    private PreparedCall bindToNative(
            Choice.OfNative choice, CallKind calls, CollectiveCall call, PlacedCall kind, Preparation preparation) {
        return natives.bind(
                choice.nativeAlgorithm(), calls, call, choice.size(), () -> describe(kind, preparation), preparation);
    }

    private PreparedCall bindToFallback(CollectiveCall call, PlacedCall kind, Preparation preparation) {
        return fallback.bind(call, () -> describe(kind, preparation), preparation);
    }

    private OperationDescription describe(PlacedCall kind, Preparation preparation) {
        CallDescriptor shape = kind.shape();
        return OperationWords.of(
                shape.collective(),
                shape.type(),
                shape.op().kind(),
                shape.messageBytes(environment.control().size()),
                shape.inPlace(),
                preparation);
    }

    private static boolean hasAddends(Plan plan, ReduceOp op) {
        return PlanExecutor.hasAddends(plan, op.kind());
    }

    private PlanExecutor executor(Choice.OfPlan choice) {
        return choice.shipped() ? shippedPrograms : registeredPlans;
    }

    private Preparation preparation(Choice choice, PlacedCall kind, BufferHold hold, boolean samePlaces) {
        return new Preparation(choice.algorithm(), stream, hold)
                .withRoot(rootOf(kind))
                .withBarrier(kind.shape().role() == Role.BARRIER)
                .withOperation(kind.signature().operation())
                .withPlaces(samePlaces ? kind.places() : BufferLocations.PLAIN);
    }

    private static int rootOf(PlacedCall kind) {
        return kind.shape().collective().hasRoot() ? kind.shape().root() : -1;
    }

    private static PlanCall planCall(Plan plan, CollectiveCall call) {
        return PlanCall.of(plan, call.input(), call.output(), call.type()).op(call.op());
    }
}

package org.mscclj.runtime.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ChosenProgram;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.tuning.TuningFile;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.fallback.FallbackCall;
import org.mscclj.runtime.fallback.FallbackCandidate;
import org.mscclj.runtime.signature.Role;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** A registered plan is chosen if it can run, and passed over with a reason if it cannot. */
class AlgorithmSelectionTest {
    private static final Optional<String> UNMAPPED = Optional.of("ranks [1] cannot map that of all others");
    private static final MappingObstacles NOTHING_MAPPED = new MappingObstacles(UNMAPPED, UNMAPPED);

    private final PlanRegistryImpl registry = new PlanRegistryImpl();

    private static Plan plan(ShippedProgram program) {
        return program.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
    }

    static CallDescriptor call(Optional<String> algorithm) {
        return new CallDescriptor(
                Collective.ALLREDUCE,
                DataType.INT32,
                ReduceOp.SUM,
                0,
                64,
                false,
                algorithm,
                NativeArguments.NONE,
                Role.ITSELF);
    }

    /** Both ask the same function; here for what each of them tells it. */
    @ParameterizedTest
    @ValueSource(ints = {4, 2, 1})
    void communicatorsChooseWhatDefaultProgramsTell(int ranksPerNode) {
        Nodes nodes = Nodes.blocks(4, ranksPerNode);
        Optional<String> far = Optional.of("they are on several nodes");
        MappingObstacles obstacles =
                nodes.several() ? new MappingObstacles(far, Optional.empty()) : MappingObstacles.NONE;
        AlgorithmSelection selection = new AlgorithmSelection(
                nodes,
                capabilities(),
                ProgramPreference.HOST,
                new RegisteredAlgorithms(registry),
                FallbackCandidate.NONE);
        for (ChosenProgram told : DefaultPrograms.of(4, ranksPerNode, ProgramPreference.HOST)) {
            Collective collective = told.spec().collective();
            int slices = Math.max(collective.inputSlices(4), collective.outputSlices(4));
            long most = told.mostBytes() == ChosenProgram.NO_LIMIT ? 1L << 40 : told.mostBytes();
            for (long slice : new long[] {(told.leastBytes() + slices - 1) / slices, most / slices}) {
                CallDescriptor call = new CallDescriptor(
                        collective,
                        DataType.INT8,
                        collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP,
                        0,
                        slice,
                        told.spec().inPlace(),
                        Optional.empty(),
                        NativeArguments.NONE,
                        Role.ITSELF);
                if (call.messageBytes(4) >= told.leastBytes() && call.messageBytes(4) <= most) {
                    Choice choice = selection.choose(call, told.registered(), obstacles);
                    assertEquals(told.program().label(), choice.algorithm(), told::toString);
                    assertEquals(told.program().plan(told.spec()), ((Choice.OfPlan) choice).plan(), told::toString);
                }
            }
        }
    }

    /** A minimum of floating-point numbers, or a product, would load from all ranks in the switch's place. */
    @Test
    void aSwitchIsPreferredForWhatItReduces() {
        AlgorithmSelection selection = new AlgorithmSelection(
                Nodes.one(8),
                capabilities(Feature.MULTICAST),
                ProgramPreference.GPU,
                new RegisteredAlgorithms(registry),
                FallbackCandidate.NONE);
        assertEquals("packets_two_shot_ll128", large(selection, DataType.FLOAT32, ReduceOp.SUM));
        selection.useSwitch();
        assertEquals("multicast_direct", large(selection, DataType.FLOAT32, ReduceOp.SUM));
        assertEquals("multicast_direct", large(selection, DataType.BFLOAT16, ReduceOp.AVG));
        assertEquals("multicast_direct", large(selection, DataType.INT32, ReduceOp.MAX));
        for (ReduceOp other : List.of(ReduceOp.MIN, ReduceOp.PRODUCT)) {
            assertEquals("packets_two_shot_ll128", large(selection, DataType.FLOAT32, other));
        }
        assertEquals("packets_two_shot_ll128", large(selection, DataType.FLOAT8_E4M3, ReduceOp.SUM));
        TuningKey key = new TuningKey("b", "d", 8, TuningTopology.SWITCHED, "1", "2");
        TuningFile file = new TuningFile(
                "my.json",
                List.of(new TuningEntry(
                        key, "", List.of(new TuningChoice(Collective.ALLREDUCE, true, 0, "multicast@8")))));
        selection.follow(FollowedTuning.of(file, key));
        assertEquals("multicast", large(selection, DataType.FLOAT32, ReduceOp.SUM));
        assertEquals("packets_two_shot_ll128", large(selection, DataType.FLOAT32, ReduceOp.MIN));
    }

    private static String large(AlgorithmSelection selection, DataType type, ReduceOp op) {
        CallDescriptor call = new CallDescriptor(
                Collective.ALLREDUCE,
                type,
                op,
                0,
                512 << 10,
                true,
                Optional.empty(),
                NativeArguments.NONE,
                Role.ITSELF);
        return selection.choose(call, true, MappingObstacles.NONE).algorithm();
    }

    private static Capabilities capabilities(Feature... features) {
        Set<Feature> all = EnumSet.of(Feature.PLANS, features);
        return new Capabilities(EnumSet.allOf(DataType.class), EnumSet.allOf(ReduceOp.Kind.class), 8, all);
    }

    /** Of two ranks on a CPU, without a fallback. */
    private static AlgorithmSelection selection(RegisteredAlgorithms registered, Feature... features) {
        return new AlgorithmSelection(
                Nodes.one(2), capabilities(features), ProgramPreference.HOST, registered, FallbackCandidate.NONE);
    }

    private String choose(Optional<String> algorithm, MappingObstacles obstacles, Feature... features) {
        return selection(new RegisteredAlgorithms(registry), features)
                .choose(call(algorithm), true, obstacles)
                .algorithm();
    }

    private void assertRefused(Plan plan, MappingObstacles obstacles, String reason) {
        String message = assertThrows(UnsupportedException.class, () -> choose(Optional.of(plan.name()), obstacles))
                .getMessage();
        assertTrue(String.valueOf(message).contains(plan.name() + ": " + reason), message);
    }

    private static final TuningKey KEY = new TuningKey("b", "d", 2, TuningTopology.MAPPED, "1", "2");
    private static final TuningFile FILE = new TuningFile(
            "my.json",
            List.of(new TuningEntry(
                    KEY, "", List.of(new TuningChoice(Collective.ALLREDUCE, true, 0, "packets_ll128@3x256")))));

    private Selection explained(ProgramPreference preference, TuningKey key) {
        AlgorithmSelection selection = new AlgorithmSelection(
                Nodes.one(2), capabilities(), preference, new RegisteredAlgorithms(registry), FallbackCandidate.NONE);
        selection.follow(FollowedTuning.of(FILE, key));
        return SelectionReport.of(selection, call(Optional.empty()), true, MappingObstacles.NONE);
    }

    /** Serves every allreduce, or only those that name it. */
    private record Everything(boolean onlyByName) implements NativeAlgorithm<AutoCloseable> {
        Everything() {
            this(false);
        }

        @Override
        public String name() {
            return "everything";
        }

        @Override
        public Collective collective() {
            return Collective.ALLREDUCE;
        }

        @Override
        public Optional<String> refusal(CallShape shape) {
            return Optional.empty();
        }

        @Override
        public AllowedArguments allowedArguments() {
            return AllowedArguments.sizes(List.of(4, 8), List.of());
        }

        @Override
        public AutoCloseable context(Communicator communicator, CallKind kind) {
            return () -> {};
        }

        @Override
        public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {}
    }

    /** A type that is its own type of sums is one type. */
    @Test
    void programsTakeTheTypeOfSumsThatTheyHave() {
        AlgorithmSelection selection = selection(new RegisteredAlgorithms(registry));
        for (DataType type : new DataType[] {DataType.INT32, DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16}) {
            DataType sums = type == DataType.FLOAT16 ? DataType.FLOAT32 : type;
            CallDescriptor call = new CallDescriptor(
                    Collective.ALLREDUCE,
                    type,
                    ReduceOp.SUM,
                    0,
                    64,
                    false,
                    Optional.empty(),
                    new NativeArguments(true, Optional.of(sums), Map.of()),
                    Role.ITSELF);
            assertEquals(
                    "direct",
                    selection.choose(call, true, MappingObstacles.NONE).algorithm(),
                    type::toString);
        }
    }

    /** A file may name an algorithm that otherwise serves only calls that name it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void measuredNativeAlgorithmsAreChosen(boolean onlyByName) {
        RegisteredAlgorithms registered = new RegisteredAlgorithms(registry);
        AlgorithmSelection selection = selection(registered, Feature.DEVICE_CHANNELS);
        TuningEntry entry =
                new TuningEntry(KEY, "", List.of(new TuningChoice(Collective.ALLREDUCE, true, 0, "everything@8")));
        selection.follow(FollowedTuning.of(new TuningFile("my.json", List.of(entry)), KEY));
        CallDescriptor call = call(Optional.empty());
        assertEquals(
                "direct", selection.choose(call, true, MappingObstacles.NONE).algorithm(), "it is not registered");
        registered.natives().register(new Everything(onlyByName));
        assertEquals(
                new Choice.OfNative(new Everything(onlyByName), new LaunchSize(8, 0)),
                selection.choose(call, true, MappingObstacles.NONE));
        assertEquals(call.sliceBytes(), selection.step(call), "it may refuse any size");
        assertEquals(
                "native algorithm everything: chosen, the fastest one for this size by measurement; my.json",
                SelectionReport.of(selection, call, true, MappingObstacles.NONE)
                        .candidates()
                        .getFirst()
                        .toString());
        assertTrue(
                selection.choose(call.as(Role.BARRIER), true, MappingObstacles.NONE) instanceof Choice.OfPlan,
                "barriers are no calls of the application");
    }

    /** A part of another call may have an output that only one rank may write. */
    @Test
    void nativeAlgorithmsServeNeitherBarriersNorParts() {
        RegisteredAlgorithms registered = new RegisteredAlgorithms(registry);
        registered.natives().register(new Everything());
        AlgorithmSelection selection = selection(registered, Feature.DEVICE_CHANNELS);
        CallDescriptor call = call(Optional.empty());
        assertEquals(
                "everything",
                selection.choose(call, true, MappingObstacles.NONE).algorithm());
        for (Role role : new Role[] {Role.BARRIER, Role.PART}) {
            assertTrue(
                    selection.choose(call.as(role), true, MappingObstacles.NONE) instanceof Choice.OfPlan,
                    role::toString);
        }
    }

    @Test
    void aLaunchSizeThatAnAlgorithmDoesNotTakeIsRefused() {
        RegisteredAlgorithms registered = new RegisteredAlgorithms(registry);
        registered.natives().register(new Everything());
        registry.register(plan(ShippedProgram.RING));
        AlgorithmSelection selection = selection(registered, Feature.DEVICE_CHANNELS);
        Choice chosen = selection.choose(call(Optional.of("everything@8")), true, MappingObstacles.NONE);
        assertEquals(new Choice.OfNative(new Everything(), new LaunchSize(8, 0)), chosen);
        for (String refused : List.of(
                "everything@5: 5 thread blocks are asked for; allowed: [4, 8]",
                "everything@4x256: 256 threads per block are asked for; it chooses their number itself",
                plan(ShippedProgram.RING).name() + "@4: it has numbers of blocks and threads of its own")) {
            CallDescriptor call = call(Optional.of(refused.substring(0, refused.indexOf(':'))));
            String message = assertThrows(
                            UnsupportedException.class, () -> selection.choose(call, true, MappingObstacles.NONE))
                    .getMessage();
            assertTrue(String.valueOf(message).contains(refused), message);
        }
        assertEquals(
                AlgorithmCandidate.Decision.REFUSED,
                SelectionReport.of(selection, call(Optional.of("everything@5")), true, MappingObstacles.NONE)
                        .candidates()
                        .get(1)
                        .decision());
    }

    @Test
    void whatServesOnlyCallsThatNameItIsNotChosenOtherwise() {
        RegisteredAlgorithms registered = new RegisteredAlgorithms(registry);
        AlgorithmSelection selection = selection(registered, Feature.DEVICE_CHANNELS);
        CallDescriptor unnamed = call(Optional.empty());
        long step = selection.step(unnamed);
        registered.natives().register(new Everything(true));
        assertEquals(step, selection.step(unnamed), "sizes have their steps as before");
        assertTrue(selection.choose(unnamed, true, MappingObstacles.NONE) instanceof Choice.OfPlan);
        assertEquals(
                "native algorithm everything: not needed, it serves only calls that name it",
                SelectionReport.of(selection, unnamed, true, MappingObstacles.NONE)
                        .candidates()
                        .getFirst()
                        .toString());
        CallDescriptor named = call(Optional.of("everything"));
        assertEquals(named.sliceBytes(), selection.step(named), "it may refuse any size");
        assertTrue(selection.choose(named, true, MappingObstacles.NONE) instanceof Choice.OfNative);
    }

    /** Two fallbacks are installed, of which the device has one; it reduces int32 only. */
    private record TwoFallbacks(boolean isForced) implements FallbackCandidate {
        @Override
        public boolean isForced(Collective collective) {
            return isForced;
        }

        @Override
        public boolean isNamed(String name) {
            return name.equals("first") || name.equals("second");
        }

        @Override
        public Optional<Found> find(FallbackCall call) {
            return Optional.of(new Found(
                    "first",
                    true,
                    call.type() == DataType.INT32 ? Optional.empty() : Optional.of("it has no " + call.type())));
        }
    }

    private AlgorithmSelection withFallbacks(boolean forced) {
        return new AlgorithmSelection(
                Nodes.one(2),
                capabilities(),
                ProgramPreference.HOST,
                new RegisteredAlgorithms(registry),
                new TwoFallbacks(forced));
    }

    private static CallDescriptor call(Collective collective, DataType type) {
        return new CallDescriptor(
                collective, type, ReduceOp.SUM, 0, 64, false, Optional.empty(), NativeArguments.NONE, Role.ITSELF);
    }

    /** A barrier must not wait for a library that opens. */
    @Test
    void aForcedFallbackServesNoBarriers() {
        AlgorithmSelection selection = withFallbacks(true);
        CallDescriptor call = call(Optional.empty());
        for (Role role : Role.values()) {
            Choice choice = selection.choose(call.as(role), true, MappingObstacles.NONE);
            assertEquals(role == Role.BARRIER, choice instanceof Choice.OfPlan, role::toString);
            assertEquals(
                    choice.algorithm(),
                    SelectionReport.of(selection, call.as(role), true, MappingObstacles.NONE)
                            .chosen()
                            .orElseThrow()
                            .name());
        }
    }

    @Test
    void whatAFallbackDoesNotServeIsRefusedWithTheReasonsOfAllCandidates() {
        AlgorithmSelection selection = withFallbacks(false);
        registry.register(plan(ShippedProgram.RING));
        CallDescriptor call = call(Collective.SENDRECV, DataType.FLOAT32);
        String message = String.valueOf(
                assertThrows(UnsupportedException.class, () -> selection.choose(call, true, MappingObstacles.NONE))
                        .getMessage());
        assertTrue(message.contains(plan(ShippedProgram.RING).name() + ": "), message);
        assertTrue(message.contains("ring: "), message);
        assertTrue(message.endsWith("; first: it has no float32"), message);
        assertEquals(
                "fallback first: refused, it has no float32",
                SelectionReport.of(selection, call, true, MappingObstacles.NONE)
                        .candidates()
                        .getLast()
                        .toString());
    }

    @Test
    void aForcedFallbackThatDoesNotServeACallRefusesIt() {
        CallDescriptor call = call(Collective.ALLREDUCE, DataType.FLOAT32);
        String message = String.valueOf(assertThrows(
                        UnsupportedException.class, () -> withFallbacks(true).choose(call, true, MappingObstacles.NONE))
                .getMessage());
        assertTrue(message.endsWith("; first: it has no float32"), message);
    }

    @Test
    void aCallThatNamesAnotherFallbackIsNotServedByTheFirst() {
        AlgorithmSelection selection = withFallbacks(false);
        CallDescriptor call = call(Optional.of("second"));
        String message = assertThrows(
                        UnsupportedException.class, () -> selection.choose(call, true, MappingObstacles.NONE))
                .getMessage();
        assertTrue(String.valueOf(message).contains("second: this communicator's fallback is first"), message);
        assertEquals(
                "fallback second: refused, this communicator's fallback is first, and it has one only; name first",
                SelectionReport.of(selection, call, true, MappingObstacles.NONE)
                        .candidates()
                        .getLast()
                        .toString());
    }

    /** The program of the table is the first candidate; where lines are off, the next one is chosen. */
    @Test
    void reportsBeginWithTheProgramOfTheTable() {
        Selection lines = explained(ProgramPreference.GPU, KEY);
        assertEquals("packets_ll128", lines.candidates().getFirst().name());
        assertEquals(
                "the fastest one for this size by measurement, with 3 blocks on each rank, of 256 threads; my.json",
                lines.chosen().orElseThrow().reason());
        Selection off = explained(ProgramPreference.GPU.withoutLines(), KEY);
        assertEquals("packets_ll128", off.candidates().getFirst().name());
        assertEquals("packets", off.chosen().orElseThrow().name());
    }

    /** A newer driver seldom makes another program the fastest; other hardware does. */
    @Test
    void reportsSayWhatTheChoicesWereMeasuredOn() {
        Selection older = explained(ProgramPreference.GPU, new TuningKey("b", "d", 2, TuningTopology.MAPPED, "3", "2"));
        String reason = older.chosen().orElseThrow().reason();
        assertTrue(reason.endsWith("; my.json, measured with driver 1, while 3 is present"), reason);
        Selection other = explained(ProgramPreference.GPU, new TuningKey("b", "e", 2, TuningTopology.MAPPED, "1", "2"));
        assertEquals("packets", other.chosen().orElseThrow().name());
        String none = other.chosen().orElseThrow().reason();
        assertTrue(
                none.endsWith(
                        "; my.json is not followed: it has no entry for 2 ranks of backend b on e, mapped, driver 1,"
                                + " mscclj 2"),
                none);
    }

    @Test
    void aPlanOfMappedMemoryNeedsRanksThatCanMap() {
        Plan ring = plan(ShippedProgram.RING);
        registry.register(ring);
        assertEquals(ring.name(), choose(Optional.empty(), MappingObstacles.NONE));
        assertEquals("port", choose(Optional.empty(), NOTHING_MAPPED));
        assertRefused(ring, NOTHING_MAPPED, UNMAPPED.get());
    }

    @Test
    void aPlanOfASwitchNeedsOne() {
        Plan multicast = plan(ShippedProgram.MULTICAST);
        registry.register(multicast);
        assertEquals(multicast.name(), choose(Optional.empty(), MappingObstacles.NONE, Feature.MULTICAST));
        assertEquals("direct", choose(Optional.empty(), MappingObstacles.NONE));
        assertRefused(multicast, MappingObstacles.NONE, "the backend does not declare MULTICAST");
    }

    @Test
    void aPlanOfPortsNeedsNeither() {
        Plan port = plan(ShippedProgram.PORT);
        registry.register(port);
        assertEquals(port.name(), choose(Optional.empty(), NOTHING_MAPPED));
    }
}

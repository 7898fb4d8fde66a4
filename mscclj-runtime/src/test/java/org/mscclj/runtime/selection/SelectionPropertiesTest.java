package org.mscclj.runtime.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.language.selection.PlanNeeds;
import org.mscclj.language.selection.SelectionContext;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.fallback.FallbackCall;
import org.mscclj.runtime.fallback.FallbackCandidate;
import org.mscclj.runtime.signature.Role;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Selections of random calls, with random plans, on random ranks. */
class SelectionPropertiesTest {
    private static final int CASES = 500;
    private static final Set<Collective> COLLECTIVES =
            EnumSet.complementOf(EnumSet.of(Collective.SENDRECV, Collective.TEST));

    private final long seed = Long.getLong("mscclj.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** A library of some types that is usable, or not, and that the user gives some collectives. */
    private record Library(boolean usable, Set<DataType> types, Set<Collective> forced) implements FallbackCandidate {
        @Override
        public boolean isForced(Collective collective) {
            return forced.contains(collective);
        }

        @Override
        public boolean isNamed(String name) {
            return name.equals("library");
        }

        @Override
        public Optional<Found> find(FallbackCall call) {
            return Optional.of(new Found(
                    "library",
                    usable,
                    !usable
                            ? Optional.of("it was not found")
                            : types.contains(call.type())
                                    ? Optional.empty()
                                    : Optional.of("it does not have " + call.type())));
        }
    }

    /** A native algorithm for messages of at most a size, perhaps only for registered ones. */
    private record Own(String name, Collective collective, long most, boolean needsRegistered)
            implements NativeAlgorithm<AutoCloseable> {
        @Override
        public Optional<String> refusal(CallShape shape) {
            return shape.bytes() > most
                    ? Optional.of("it takes at most " + most + " bytes")
                    : needsRegistered && !shape.registered()
                            ? Optional.of("it needs registered buffers")
                            : Optional.empty();
        }

        @Override
        public AutoCloseable context(Communicator communicator, CallKind kind) {
            throw new IllegalStateException("nothing is called");
        }

        @Override
        public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {}
    }

    /** What a case consists of. */
    private record Case(
            Nodes nodes,
            Capabilities capabilities,
            ProgramPreference preference,
            List<Plan> plans,
            List<Own> natives,
            Library library,
            CallDescriptor call,
            boolean registered,
            MappingObstacles obstacles) {
        /** Another rank has its own selection. */
        AlgorithmSelection selection() {
            PlanRegistryImpl registry = new PlanRegistryImpl();
            plans.forEach(registry::register);
            RegisteredAlgorithms registered = new RegisteredAlgorithms(registry);
            natives.forEach(registered.natives()::register);
            return new AlgorithmSelection(nodes, capabilities, preference, registered, library);
        }

        CallDescriptor naming(String algorithm) {
            return new CallDescriptor(
                    call.collective(),
                    call.type(),
                    call.op(),
                    call.root(),
                    call.sliceBytes(),
                    call.inPlace(),
                    Optional.of(algorithm),
                    call.arguments(),
                    call.role());
        }

        Choice choose(CallDescriptor descriptor) {
            return selection().choose(descriptor, registered, obstacles);
        }
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private Case any() {
        int ranks = 1 + random.nextInt(8);
        int ranksPerNode = any(java.util.stream.Stream.iterate(1, i -> i + 1)
                .limit(ranks)
                .filter(i -> ranks % i == 0)
                .toList());
        Nodes nodes = Nodes.blocks(ranks, ranksPerNode);
        Optional<String> far = Optional.of("it is far away");
        Collective collective = any(List.copyOf(COLLECTIVES));
        DataType type = any(Arrays.asList(DataType.values()));
        ReduceOp op = collective.reduces() ? any(List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.AVG)) : ReduceOp.NOP;
        CallDescriptor call = new CallDescriptor(
                collective,
                type,
                op,
                collective.hasRoot() ? random.nextInt(ranks) : 0,
                random.nextLong(1L << random.nextInt(1, 31)) / type.byteSize() * type.byteSize(),
                random.nextBoolean(),
                Optional.empty(),
                NativeArguments.NONE,
                Role.ITSELF);
        return new Case(
                nodes,
                new Capabilities(
                        EnumSet.allOf(DataType.class),
                        EnumSet.allOf(ReduceOp.Kind.class),
                        8,
                        java.util.stream.Stream.of(Feature.PLANS, Feature.MULTICAST, Feature.DEVICE_CHANNELS)
                                .filter(feature -> random.nextInt(feature == Feature.PLANS ? 8 : 2) > 0)
                                .collect(Collectors.toSet())),
                preference(collective, ranks),
                java.util.stream.Stream.generate(() -> plan(ranks, ranksPerNode))
                        .limit(random.nextInt(4))
                        .flatMap(Optional::stream)
                        .toList(),
                IntStream.range(0, random.nextInt(3))
                        .mapToObj(number -> new Own(
                                "own" + number,
                                random.nextInt(4) > 0 ? collective : any(List.copyOf(COLLECTIVES)),
                                1L << random.nextInt(30),
                                random.nextBoolean()))
                        .toList(),
                new Library(
                        random.nextBoolean(),
                        random.nextBoolean() ? EnumSet.allOf(DataType.class) : EnumSet.of(DataType.INT8),
                        random.nextInt(8) == 0 ? Set.of(collective) : Set.of()),
                call,
                random.nextBoolean(),
                nodes.several() || random.nextInt(8) == 0
                        ? new MappingObstacles(far, random.nextBoolean() ? far : Optional.empty())
                        : MappingObstacles.NONE);
    }

    /** Of a CPU, of a GPU with or without lines; with a table of two rows or without one. */
    private ProgramPreference preference(Collective collective, int ranks) {
        ProgramPreference machine =
                any(List.of(ProgramPreference.HOST, ProgramPreference.GPU, ProgramPreference.GPU.withoutLines()));
        if (ranks == 1 || random.nextBoolean()) {
            return machine;
        }
        boolean registered = random.nextBoolean();
        return machine.withTable(new SelectionTable(java.util.stream.Stream.of(0L, 1L + random.nextLong(1L << 20))
                .map(least -> new SelectionRow(
                        collective,
                        ranks,
                        registered,
                        least,
                        any(java.util.stream.Stream.of(ShippedProgram.values())
                                        .filter(program -> program.collectives().contains(collective))
                                        .toList())
                                .label(),
                        new LaunchSize(1 + random.nextInt(8), random.nextBoolean() ? 0 : 256)))
                .toList()));
    }

    /**
     * A plan of a shipped program under another name, for some sizes; perhaps of another collective or size of world.
     */
    private Optional<Plan> plan(int ranks, int ranksPerNode) {
        ShippedProgram program = any(Arrays.asList(ShippedProgram.values()));
        boolean same = random.nextInt(4) > 0;
        ProgramSpec spec = new ProgramSpec(
                any(List.copyOf(program.collectives())),
                same ? ranks : ranks + 1,
                same ? ranksPerNode : ranks + 1,
                0,
                random.nextBoolean(),
                1);
        if (program.refusal(spec).isPresent()) {
            return Optional.empty();
        }
        Plan plan = program.plan(spec);
        long most = random.nextBoolean() ? Long.MAX_VALUE : 1L << random.nextInt(30);
        return Optional.of(new Plan(
                plan.name() + "_registered_" + random.nextInt(1 << 20),
                plan.collective(),
                plan.protocol(),
                plan.inPlace(),
                plan.reuseResources(),
                plan.threadsPerBlock(),
                plan.doubleScratch(),
                plan.bufferAlignment(),
                random.nextBoolean() ? 0 : Math.min(most, 1L << random.nextInt(30)),
                most,
                plan.ranks()));
    }

    private void assertFits(Case one, Choice choice) {
        if (choice instanceof Choice.OfNative ofNative) {
            Own own = (Own) ofNative.nativeAlgorithm();
            assertEquals(one.call().collective(), own.collective());
            assertTrue(one.call().messageBytes(one.nodes().ofRanks().size()) <= own.most());
            assertTrue(one.registered() || !own.needsRegistered());
            assertTrue(one.capabilities().features().contains(Feature.DEVICE_CHANNELS));
            return;
        }
        if (!(choice instanceof Choice.OfPlan ofPlan)) {
            assertEquals("library", choice.algorithm());
            assertTrue(one.library().usable());
            assertTrue(one.library().types().contains(one.call().type()));
            return;
        }
        Plan plan = ofPlan.plan();
        int ranks = one.nodes().ofRanks().size();
        CallDescriptor call = one.call();
        assertEquals(call.collective(), plan.collective());
        assertEquals(ranks, plan.worldSize());
        SelectionContext context = one.selection().programs().context(one.registered(), one.obstacles());
        assertEquals(Optional.empty(), PlanNeeds.of(plan, one.nodes().ofRanks()).missing(context));
        if (!ofPlan.shipped()) {
            assertEquals(call.inPlace(), plan.inPlace());
            assertEquals(0, call.root());
            assertTrue(call.messageBytes(ranks) >= plan.minMessageSize());
            assertTrue(call.messageBytes(ranks) <= plan.maxMessageSize());
        }
    }

    /** What a report says of a candidate holds for a call that names it. */
    private static void assertTold(Case one, AlgorithmCandidate candidate, Optional<Choice> chosen) {
        CallDescriptor named = one.naming(candidate.name());
        switch (candidate.decision()) {
            case CHOSEN ->
                assertEquals(chosen.orElseThrow().algorithm(), one.choose(named).algorithm());
            case NOT_NEEDED -> assertEquals(candidate.name(), one.choose(named).algorithm());
            case REFUSED -> {
                UnsupportedException refused = assertThrows(UnsupportedException.class, () -> one.choose(named));
                assertTrue(String.valueOf(refused.getMessage()).contains(candidate.reason()), refused::getMessage);
            }
        }
    }

    @Test
    void chosenAlgorithmsFitAndRanksChooseAlike() {
        System.out.println("SelectionPropertiesTest: seed " + seed);
        int chosenOnes = 0;
        for (int number = 0; number < CASES; number++) {
            Case one = any();
            Optional<Choice> chosen = chosen(one);
            chosen.ifPresent(choice -> assertFits(one, choice));
            assertEquals(
                    chosen.map(Choice::signature), chosen(one).map(Choice::signature), "the choice of another rank");
            Selection report = SelectionReport.of(one.selection(), one.call(), one.registered(), one.obstacles());
            assertEquals(chosen.map(Choice::algorithm), report.chosen().map(AlgorithmCandidate::name));
            report.candidates().forEach(candidate -> assertTold(one, candidate, chosen));
            chosenOnes += chosen.isPresent() ? 1 : 0;
        }
        assertTrue(chosenOnes > CASES / 4, "too few calls are served to tell much: " + chosenOnes);
    }

    private static Optional<Choice> chosen(Case one) {
        try {
            return Optional.of(one.choose(one.call()));
        } catch (UnsupportedException _) {
            return Optional.empty();
        }
    }
}

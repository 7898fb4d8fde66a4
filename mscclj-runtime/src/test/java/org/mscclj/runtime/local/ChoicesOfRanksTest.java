package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.plan.PlanRegistry;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.BackendProvider;

/** Ranks choose the same algorithm for a call wherever the buffers of each of them lie. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChoicesOfRanksTest {
    private static final String OF_REGISTERED = "of-registered";
    private static final int RANKS = 3;
    private static final int CASES = 200;
    private static final int MEMORY = 1 << 18;
    private static final int MOST_SLICE = 1 << 15;
    private static final List<ReduceOp> OPS = List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.AVG, ReduceOp.premulSum(2));

    private final long seed = Long.getLong("mscclj.seed", System.nanoTime());

    /** Where the buffers of ranks lie. */
    private enum Places {
        /** In registered memory, at equal offsets. */
        REGISTERED,
        /** In registered memory, at offsets that each rank draws. */
        OTHER_OFFSETS,
        /** In registered memory on some ranks, and in plain memory on the others. */
        MIXED,
        /** In plain memory, at offsets that each rank draws. */
        PLAIN
    }

    /** Serves small allreduces on registered memory. */
    private static final class OfRegistered implements NativeAlgorithm<AutoCloseable> {
        @Override
        public String name() {
            return OF_REGISTERED;
        }

        @Override
        public Collective collective() {
            return Collective.ALLREDUCE;
        }

        @Override
        public Optional<String> refusal(CallShape shape) {
            return !shape.registered()
                    ? Optional.of("it needs registered memory")
                    : shape.bytes() > MOST_SLICE / 2 ? Optional.of("it is for small messages") : Optional.empty();
        }

        @Override
        public AutoCloseable context(Communicator communicator, CallKind kind) {
            throw new IllegalStateException("nothing is called");
        }

        @Override
        public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {}
    }

    /** The same backend, with streams that take work of applications, says its provider. */
    private static BackendProvider takingNatives(BackendProvider host) {
        Capabilities own = host.capabilities();
        Set<Feature> features = EnumSet.copyOf(own.features());
        features.add(Feature.DEVICE_CHANNELS);
        Capabilities more = new Capabilities(own.dataTypes(), own.reduceOps(), own.maxRanks(), features);
        return (BackendProvider) Proxy.newProxyInstance(
                BackendProvider.class.getClassLoader(), new Class<?>[] {BackendProvider.class}, (_, method, given) -> {
                    try {
                        return method.getName().equals("capabilities") ? more : method.invoke(host, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** What ranks draw alike, and where a rank draws its own offsets. */
    private record Case(Collective collective, DataType type, ReduceOp op, int root, int sliceBytes, boolean inPlace) {
        static Case of(Random random) {
            Collective collective = List.of(
                            Collective.ALLREDUCE, Collective.ALLREDUCE, Collective.ALLGATHER, Collective.BROADCAST)
                    .get(random.nextInt(4));
            DataType type =
                    List.of(DataType.INT8, DataType.FLOAT16, DataType.FLOAT32).get(random.nextInt(3));
            return new Case(
                    collective,
                    type,
                    collective.reduces() ? OPS.get(random.nextInt(OPS.size())) : ReduceOp.NOP,
                    collective.hasRoot() ? random.nextInt(RANKS) : 0,
                    (1 + random.nextInt(MOST_SLICE / Float.BYTES)) * Float.BYTES,
                    collective == Collective.ALLREDUCE && random.nextInt(3) == 0);
        }

        CollectiveCall call(DeviceBuffer input, DeviceBuffer output, Random offsets) {
            DeviceBuffer from = part(input, sliceBytes * collective.inputSlices(RANKS), offsets);
            DeviceBuffer to = part(output, sliceBytes * collective.outputSlices(RANKS), offsets);
            return new CollectiveCall(collective, from, inPlace ? from : to, type, op, root, Optional.empty());
        }

        private DeviceBuffer part(DeviceBuffer memory, int bytes, Random offsets) {
            int elements = (MEMORY - bytes) / type.byteSize();
            return memory.slice((long) offsets.nextInt(elements) * type.byteSize(), bytes);
        }
    }

    /** A rank with its memory. */
    private record Rank(
            Communicator communicator, List<DeviceBuffer> registered, List<DeviceBuffer> plain, Random own) {
        /** Returns the call of this rank. */
        CollectiveCall call(Case one, Places places, long common) {
            boolean mayBePlain = places == Places.MIXED ? own.nextBoolean() : places == Places.PLAIN;
            List<DeviceBuffer> memory = mayBePlain ? plain : registered;
            return one.call(
                    memory.getFirst(), memory.getLast(), places == Places.REGISTERED ? new Random(common) : own);
        }

        /** Prepares the call, and returns the algorithm. */
        String algorithm(CollectiveCall call) {
            try (PreparedOperation prepared = communicator.prepare(call)) {
                return prepared.algorithm();
            }
        }

        String explained(CollectiveCall call) {
            return communicator
                    .explain(call)
                    .chosen()
                    .map(AlgorithmCandidate::name)
                    .orElse("");
        }
    }

    /** Does something for each case on all ranks: each rank has memory of its own. */
    private void onRanks(Consumer<Rank> task, BackendProvider provider) {
        System.out.println("ChoicesOfRanksTest: -Dmscclj.seed=" + seed);
        try (LocalGroup group = LocalRanks.open(
                LocalGroupOptions.ranks(RANKS).timeout(Duration.ofSeconds(60)), ExecutorOptions.DEFAULT, provider)) {
            group.run(communicator -> task.accept(new Rank(
                    communicator,
                    List.of(communicator.allocate(MEMORY), communicator.allocate(MEMORY)),
                    List.of(
                            communicator.device().allocate(MEMORY),
                            communicator.device().allocate(MEMORY)),
                    new Random(seed + 1 + communicator.rank()))));
        }
    }

    private static BackendProvider host() {
        return ProviderCatalog.installed("backend", BackendProvider.class).find(Optional.of("host"));
    }

    /** A selector that chooses by the size, by whether memory is registered, and by tags. */
    private static void registerPlans(Communicator communicator) {
        PlanRegistry plans = communicator.plans();
        int number = 0;
        for (ShippedProgram program : List.of(ShippedProgram.DIRECT, ShippedProgram.PACKETS, ShippedProgram.RING)) {
            plans.register(
                    program.plan(ProgramSpec.of(Collective.ALLREDUCE, RANKS)),
                    Optional.of(RANKS),
                    Map.of("number", number++));
        }
        plans.setSelector((candidates, call) -> candidates.stream()
                .filter(handle -> handle.tags().getOrDefault("number", 2) == (call.registered() ? 0 : 1))
                .findFirst());
        plans.setDefaultSelector(
                (candidates, call) -> Optional.of(candidates.getLast()).filter(_ -> call.bytes() > MOST_SLICE / 2));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ranksChooseAlikeWhereverTheirBuffersLie(boolean withPlans) {
        Map<String, String> chosen = new ConcurrentHashMap<>();
        onRanks(
                rank -> {
                    if (withPlans) {
                        registerPlans(rank.communicator());
                    }
                    Random common = new Random(seed);
                    for (int number = 0; number < CASES; number++) {
                        requireAlike(rank, number, common, chosen);
                    }
                },
                host());
    }

    private static void requireAlike(Rank rank, int number, Random common, Map<String, String> chosen) {
        Case one = Case.of(common);
        long offsets = common.nextLong();
        Map<Places, String> algorithms = new EnumMap<>(Places.class);
        for (Places places : Places.values()) {
            CollectiveCall call = rank.call(one, places, offsets);
            String algorithm = rank.algorithm(call);
            algorithms.put(places, algorithm);
            String other = chosen.putIfAbsent(number + " " + places, algorithm);
            assertTrue(other == null || other.equals(algorithm), () -> one + ": " + other + ", " + algorithm);
            if (places == Places.REGISTERED || places == Places.PLAIN) {
                assertEquals(algorithm, rank.explained(call), one::toString);
            }
        }
        for (Places places : List.of(Places.MIXED, Places.OTHER_OFFSETS)) {
            assertEquals(algorithms.get(Places.PLAIN), algorithms.get(places), () -> one + ", " + places);
        }
    }

    /** Addends of an average lie in memory that peers can access, and its buffers may not. */
    @Test
    void algorithmsOfRegisteredMemoryServeNoOther() {
        Map<Places, Set<String>> chosen = new ConcurrentHashMap<>();
        onRanks(
                rank -> {
                    rank.communicator().algorithms().register(new OfRegistered());
                    Random common = new Random(seed);
                    for (int number = 0; number < CASES; number++) {
                        Case one = Case.of(common);
                        for (Places places : List.of(Places.REGISTERED, Places.PLAIN)) {
                            chosen.computeIfAbsent(places, _ -> ConcurrentHashMap.newKeySet())
                                    .add(rank.explained(rank.call(one, places, common.nextLong())));
                        }
                    }
                },
                takingNatives(host()));
        assertTrue(chosen.getOrDefault(Places.REGISTERED, Set.of()).contains(OF_REGISTERED), chosen::toString);
        assertFalse(chosen.getOrDefault(Places.PLAIN, Set.of()).contains(OF_REGISTERED), chosen::toString);
    }
}

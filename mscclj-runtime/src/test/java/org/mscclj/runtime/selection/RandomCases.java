package org.mscclj.runtime.selection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.signature.Role;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Random calls, with random plans, native algorithms, measured choices and fallbacks, on random ranks. */
final class RandomCases {
    private static final Set<Collective> COLLECTIVES =
            EnumSet.complementOf(EnumSet.of(Collective.SENDRECV, Collective.TEST));
    private static final List<ReduceOp> OPS =
            List.of(ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG, ReduceOp.premulSum(1));
    private static final List<RandomSelector> SELECTORS = Arrays.asList(RandomSelector.values());

    private final Random random;

    RandomCases(long seed) {
        this.random = new Random(seed);
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Returns whether something happens that does so once in a number of times. */
    private boolean once(int in) {
        return random.nextInt(in) == 0;
    }

    SelectionCase next() {
        int ranks = once(4) ? 1 + random.nextInt(8) : 1 + random.nextInt(4);
        int ranksPerNode = once(2)
                ? ranks
                : any(IntStream.rangeClosed(1, ranks)
                        .filter(size -> ranks % size == 0)
                        .boxed()
                        .toList());
        Nodes nodes = once(8) ? scattered(ranks) : Nodes.blocks(ranks, ranksPerNode);
        Optional<String> far = Optional.of("it is far away");
        Collective collective = any(List.copyOf(COLLECTIVES));
        return new SelectionCase(
                nodes,
                capabilities(),
                any(List.of(ProgramPreference.HOST, ProgramPreference.GPU, ProgramPreference.GPU.withoutLines())),
                ranks == 1 || once(2)
                        ? FollowedTuning.NONE
                        : new FollowedTuning(table(collective, ranks), "my.json", true),
                Stream.generate(() -> RandomPlan.of(random, collective, ranks, ranksPerNode))
                        .limit(random.nextInt(5))
                        .flatMap(Optional::stream)
                        .toList(),
                once(2) ? Optional.empty() : Optional.of(any(SELECTORS)),
                once(2) ? Optional.empty() : Optional.of(any(SELECTORS)),
                IntStream.range(0, random.nextInt(3))
                        .mapToObj(number -> RandomNative.of(
                                random, "own" + number, once(4) ? any(List.copyOf(COLLECTIVES)) : collective))
                        .toList(),
                RandomLibrary.of(random, collective),
                call(collective, ranks),
                random.nextBoolean(),
                nodes.several() && !once(4) || once(8)
                        ? new MappingObstacles(far, random.nextBoolean() ? far : Optional.empty())
                        : MappingObstacles.NONE);
    }

    /** Nodes may have different numbers of ranks, in any order. */
    private Nodes scattered(int ranks) {
        return new Nodes(Stream.generate(() -> random.nextInt(3)).limit(ranks).toList());
    }

    private Capabilities capabilities() {
        return new Capabilities(
                EnumSet.allOf(DataType.class),
                EnumSet.allOf(ReduceOp.Kind.class),
                8,
                Stream.of(Feature.PLANS, Feature.MULTICAST, Feature.DEVICE_CHANNELS)
                        .filter(feature -> !once(feature == Feature.MULTICAST ? 2 : 8))
                        .collect(Collectors.toSet()));
    }

    private CallDescriptor call(Collective collective, int ranks) {
        DataType type = any(Arrays.asList(DataType.values()));
        return new CallDescriptor(
                collective,
                type,
                collective.reduces() ? any(OPS) : ReduceOp.NOP,
                collective.hasRoot() ? random.nextInt(ranks) : 0,
                random.nextLong(1L << random.nextInt(1, 31)) / type.byteSize() * type.byteSize(),
                random.nextBoolean(),
                Optional.empty(),
                once(2) ? NativeArguments.NONE : arguments(),
                once(8) ? any(List.of(Role.PART, Role.BARRIER)) : Role.ITSELF);
    }

    private NativeArguments arguments() {
        return new NativeArguments(
                random.nextBoolean(),
                once(4) ? Optional.of(any(List.of(DataType.FLOAT32, DataType.FLOAT64))) : Optional.empty(),
                once(4) ? Map.of("counter", 0L) : Map.of());
    }

    /** Rows of programs and of native algorithms, some of which are not registered or do not take the size. */
    private SelectionTable table(Collective collective, int ranks) {
        List<SelectionRow> rows = new ArrayList<>();
        for (boolean registered : new boolean[] {true, false}) {
            for (long least : once(4) ? new long[0] : new long[] {0, 1 + random.nextLong(1L << 20)}) {
                rows.add(SelectionRow.of(collective, ranks, registered, least, algorithm(collective)));
            }
        }
        return new SelectionTable(rows);
    }

    private String algorithm(Collective collective) {
        if (once(8)) {
            return TuningChoice.DEFAULT;
        }
        int threads = random.nextBoolean() ? 0 : 256;
        return once(2)
                ? any(List.of("own0", "own0", "own1", "own2"))
                        + new LaunchSize(any(List.of(0, 4, 5)), once(2) ? threads : 0).suffix()
                : any(Stream.of(ShippedProgram.values())
                                        .filter(program -> program.collectives().contains(collective))
                                        .toList())
                                .label()
                        + new LaunchSize(1 + random.nextInt(8), threads).suffix();
    }
}

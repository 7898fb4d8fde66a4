package org.mscclj.conformance.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.group.RankGroup;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.rank.Finding;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.resource.ProcessResources;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * Soaks of ranks that do nothing, and say what they are told to. Other tests run at the same time, so that what the
 * process holds is not looked at.
 */
class SoakTest {
    private static final Capabilities EVERYTHING = new Capabilities(
            EnumSet.allOf(DataType.class),
            EnumSet.allOf(ReduceOp.Kind.class),
            3,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS));

    private static RankGroups groups(Function<TestCase, List<Finding>> findings, Runnable close) {
        return (mode, world, kind) -> new RankGroup() {
            @Override
            public List<RankVerdict> run(TestCase test, RankCheck check) {
                return IntStream.range(0, world)
                        .mapToObj(rank -> new RankVerdict(rank, 0, findings.apply(test)))
                        .toList();
            }

            @Override
            public boolean isUsable() {
                return true;
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }

    private static SoakResult soak(long seed, RankGroups groups) {
        SuiteOptions options = SuiteOptions.sample().depth(Depth.QUICK).seed(seed);
        return new Soak(Mode.THREADS, options, groups, EVERYTHING, Duration.ofMillis(1)).run(Duration.ofMillis(1));
    }

    @Test
    void findingsOfAnyKindAreFailures() {
        for (FindingKind kind : EnumSet.complementOf(EnumSet.of(FindingKind.UNSUPPORTED))) { // which some rules allow
            SoakResult result = soak(1, groups(test -> List.of(new Finding(kind, "something")), () -> {}));
            boolean right = kind == FindingKind.NO_PART;
            assertEquals(right, result.failures().isEmpty(), kind::name);
            assertTrue(right || result.lines().toString().contains("something"), result::toString);
        }
    }

    @Test
    void theSameSeedTriesTheSameCases() {
        List<List<TestCase>> tried = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            List<TestCase> cases = new ArrayList<>();
            soak(
                    7,
                    groups(
                            test -> {
                                if (cases.isEmpty() || !cases.getLast().equals(test)) { // once for all ranks
                                    cases.add(test);
                                }
                                return List.of();
                            },
                            () -> {}));
            tried.add(cases);
        }
        int both = Math.min(tried.getFirst().size(), tried.getLast().size());
        assertTrue(both > 0);
        assertEquals(tried.getFirst().subList(0, both), tried.getLast().subList(0, both));
    }

    @Test
    void groupsThatCannotBeClosedAreTold() {
        SoakResult result = soak(1, groups(test -> List.of(), () -> {
            throw new AbortedException("a thread is left");
        }));
        assertFalse(result.isPassed());
        assertTrue(result.leaks().getFirst().contains("a thread is left"), result::toString);
    }

    @Test
    void whatHasGrownIsTold() {
        ProcessResources before = new ProcessResources(
                List.of("main", "rank"), 0, OptionalLong.of(20), 1 << 20, OptionalLong.of(1 << 20));
        assertEquals(List.of(), before.growthSince(before));
        ProcessResources fewer =
                new ProcessResources(List.of("other"), 0, OptionalLong.of(19), 2 << 20, OptionalLong.empty());
        assertEquals(List.of(), fewer.growthSince(before));
        ProcessResources more = new ProcessResources(
                List.of("main", "rank", "rank"), 1, OptionalLong.of(21), 1 << 28, OptionalLong.of(1L << 32));
        assertEquals(
                List.of(
                        "3 threads, where there were 2: also [rank]",
                        "1 child processes, where there were 0",
                        "21 open files, where there were 20",
                        "268435456 bytes of heap, where there were 1048576",
                        "4294967296 bytes outside the heap, where there were 1048576"),
                more.growthSince(before));
    }
}

package org.mscclj.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.CommandLineRun;
import org.mscclj.cli.RankJvm;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/**
 * The plans in the folder that the system property {@code mscclj.plans} names, by ranks that are processes: one group
 * of them for all plans of a size, those of at most 4 ranks, or all with {@code -Dmscclj.full=true}.
 * {@code -Dmscclj.seed=N} repeats a run.
 */
class ProcessPlansTest {
    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime() & 0xffff_ffffL);
    private static final int MAX_RANKS = Boolean.getBoolean("mscclj.full") ? Integer.MAX_VALUE : 4;
    private static final Duration LIMIT = Duration.ofSeconds(900);

    @TempDir
    Path temporary;

    /** Ranks that run the same plans. */
    private record Group(int ranks, int ranksPerNode) implements Comparable<Group> {
        @Override
        public int compareTo(Group other) {
            return ranks == other.ranks
                    ? Integer.compare(ranksPerNode, other.ranksPerNode)
                    : Integer.compare(ranks, other.ranks);
        }
    }

    @TestFactory
    Stream<DynamicTest> everyPlanIsRight() throws IOException {
        return tests(plan -> List.of(plan.worldSize()));
    }

    /** Plans whose memory channels stay within blocks of ranks: their port channels then connect nodes, by TCP. */
    @Tag("deep")
    @TestFactory
    Stream<DynamicTest> portPlansAreRightBetweenNodes() throws IOException {
        return tests(NodeSizes::of);
    }

    @Test
    void aPlanOfOurOwnIsRightBetweenNodes() throws Exception {
        run(new Group(2, 1), List.of(Path.of(CommandLineRun.example("sendrecv_port_2ranks"))));
    }

    /** Returns the sizes of the nodes for a plan. */
    @FunctionalInterface
    private interface Placing {
        Collection<Integer> ranksPerNode(Plan plan);
    }

    private Stream<DynamicTest> tests(Placing placing) throws IOException {
        Map<Group, List<Path>> groups = new TreeMap<>();
        for (Path file : ExternalPlans.files()) {
            if (ExternalPlans.isReadable(file)) {
                Plan plan = PlanReader.read(file);
                if (plan.worldSize() <= MAX_RANKS) {
                    for (int ranksPerNode : placing.ranksPerNode(plan)) {
                        groups.computeIfAbsent(new Group(plan.worldSize(), ranksPerNode), group -> new ArrayList<>())
                                .add(file);
                    }
                }
            }
        }
        assertTrue(!groups.isEmpty(), "no plan fits");
        return groups.entrySet().stream()
                .map(group -> DynamicTest.dynamicTest(
                        group.getValue().size() + " plans by " + group.getKey(),
                        () -> run(group.getKey(), group.getValue())));
    }

    private void run(Group group, List<Path> files) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(Long.toString(SEED)));
        files.forEach(file -> arguments.add(file.toString()));
        String job = "plans-" + UUID.randomUUID();
        List<RankJvm> ranks = new ArrayList<>();
        long start = System.nanoTime();
        try {
            for (int rank = 0; rank < group.ranks; rank++) {
                ranks.add(RankJvm.start(
                        RankPlans.class,
                        temporary,
                        RankJvm.variables(rank, group.ranks, group.ranksPerNode, job),
                        arguments.toArray(String[]::new)));
            }
            for (RankJvm rank : ranks) {
                assertEquals(
                        0, rank.awaitEnd(LIMIT), () -> "-Dmscclj.seed=" + SEED + ": " + ranks.getFirst() + "\n" + rank);
            }
        } finally {
            ranks.forEach(RankJvm::close);
        }
        List<String> said = ranks.getFirst().transcript();
        assertEquals(List.of(), lines(said, "wrong "), "-Dmscclj.seed=" + SEED);
        assertEquals(files.size(), lines(said, "done ").size(), () -> String.join("\n", said));
        long launches = lines(said, "done ").stream()
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*: (\\d+) launches", "$1")))
                .sum();
        System.out.println("ProcessPlansTest: " + group + ", " + files.size() + " plans, " + launches
                + " launches right, " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    private static List<String> lines(List<String> said, String beginning) {
        return said.stream().filter(line -> line.startsWith(beginning)).toList();
    }
}

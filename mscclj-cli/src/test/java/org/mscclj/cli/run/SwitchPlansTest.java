package org.mscclj.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.cli.CommandLineRun;
import org.mscclj.cli.RankJvm;
import org.mscclj.cli.emulation.EmulatedGpus;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/**
 * Plans with switch channels by multicast objects of emulated GPUs, where ranks are threads and where they are
 * processes: the shipped programs, and the plans of the examples and of the folder that the system property
 * {@code mscclj.plans} names. The GPU of each rank must make multicast accesses in each plan.
 * {@code -Dmscclj.full=true} takes more types, packet formats and sizes; {@code -Dmscclj.seed=N} repeats a run.
 */
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SwitchPlansTest {
    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime() & 0xffff_ffffL);
    private static final boolean ALL = Boolean.getBoolean("mscclj.full");
    private static final Duration LIMIT = Duration.ofSeconds(ALL ? 1500 : 400);
    private static final List<String> PROGRAMS =
            List.of("MULTICAST", "MULTICAST_DIRECT", "MULTICAST_PACKETS", "MULTICAST_PIPELINE");
    private static final Pattern RIGHT =
            Pattern.compile("right: (\\S+) .*, rank (\\d+): ([1-9]\\d*) launches, (\\d+) accesses");

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedGpus.require();
    }

    /** The names of the shipped programs, and the files of plans for a number of ranks that have switch channels. */
    private static List<String> plans(int ranks) throws IOException {
        List<String> plans = new ArrayList<>(PROGRAMS);
        String given = System.getProperty("mscclj.plans", "");
        List<Path> folders = new ArrayList<>(List.of(CommandLineRun.ROOT.resolve("examples/plans")));
        if (!given.isBlank()) {
            folders.add(Path.of(given));
        }
        for (Path one : folders) {
            try (Stream<Path> files = Files.list(one)) {
                files.filter(file -> file.toString().endsWith(".json") && ExternalPlans.isReadable(file))
                        .filter(file -> isSwitchPlan(PlanReader.read(file), ranks))
                        .map(Path::toString)
                        .sorted()
                        .forEach(plans::add);
            }
        }
        return plans;
    }

    private static boolean isSwitchPlan(Plan plan, int ranks) {
        return plan.worldSize() == ranks
                && plan.ranks().stream().anyMatch(rank -> !rank.switchGroups().isEmpty());
    }

    @ParameterizedTest(name = "{0} ranks that are {1}")
    @CsvSource({"2,threads", "4,threads", "2,processes"})
    void plansUseMulticast(int ranks, String how) throws Exception {
        check(ranks, how);
    }

    @Tag("deep")
    @ParameterizedTest(name = "{0} ranks that are {1}")
    @CsvSource({"3,threads", "4,processes"})
    void morePlansUseMulticast(int ranks, String how) throws Exception {
        check(ranks, how);
    }

    @EnabledIfSystemProperty(named = "mscclj.full", matches = "true", disabledReason = "takes minutes")
    @ParameterizedTest(name = "{0} ranks that are {1}")
    @CsvSource({"8,threads", "3,processes", "8,processes"})
    void plansOfManyRanksUseMulticast(int ranks, String how) throws Exception {
        check(ranks, how);
    }

    private void check(int ranks, String how) throws Exception {
        List<String> plans = plans(ranks);
        boolean processes = how.equals("processes");
        List<String> arguments = new ArrayList<>(
                List.of(processes ? "0" : Integer.toString(ranks), ALL ? "all" : "some", Long.toString(SEED)));
        arguments.addAll(plans);
        List<String> said = new ArrayList<>();
        List<RankJvm> started = new ArrayList<>();
        String job = "switch-plans-" + UUID.randomUUID();
        try {
            for (int rank = 0; rank < (processes ? ranks : 1); rank++) {
                Map<String, String> variables = new HashMap<>(Map.of("MSCCLJ_NVLS", "on"));
                variables.putAll(processes ? RankJvm.variables(rank, ranks, job) : Map.of());
                started.add(RankJvm.start(
                        SwitchPlanRanks.class,
                        folder,
                        EmulatedGpus.variables(ranks, variables),
                        arguments.toArray(String[]::new)));
            }
            for (RankJvm one : started) {
                assertEquals("left: 0 0 0 0", one.await("left: ", LIMIT), () -> "-Dmscclj.seed=" + SEED);
                assertEquals(0, one.awaitEnd(LIMIT), one::toString);
                said.addAll(one.transcript());
            }
        } finally {
            started.forEach(RankJvm::close);
        }
        long launches = requireMulticast(ranks, plans, said);
        System.out.println("SwitchPlansTest: " + ranks + " ranks that are " + how + ", " + plans.size() + " plans, "
                + launches + " launches right, all by multicast, -Dmscclj.seed=" + SEED);
    }

    /** Requires accesses of each rank in each plan. Returns the number of launches. */
    private static long requireMulticast(int ranks, List<String> plans, List<String> said) {
        assertTrue(said.stream().noneMatch(line -> line.contains("emulated over mapped memory")), said::toString);
        Map<String, Integer> ranksOfPlan = new HashMap<>();
        long launches = 0;
        for (String line : said) {
            Matcher right = RIGHT.matcher(line);
            if (right.matches()) {
                assertTrue(Long.parseLong(right.group(4)) > 0, line);
                ranksOfPlan.merge(right.group(1), 1 << Integer.parseInt(right.group(2)), (a, b) -> a | b);
                launches += right.group(2).equals("0") ? Long.parseLong(right.group(3)) : 0;
            }
        }
        for (String plan : plans) {
            assertEquals((1 << ranks) - 1, ranksOfPlan.getOrDefault(plan, 0), () -> plan + " by each rank; " + said);
        }
        return launches;
    }
}

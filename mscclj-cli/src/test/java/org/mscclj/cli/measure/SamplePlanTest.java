package org.mscclj.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.cli.ranks.ThreadRanks;

class SamplePlanTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void aGraphHasTheRequestedLaunchesAndReplays() {
        List<String> log = new ArrayList<>();
        SamplePlan plan = measured(graph(Optional.of(7), Optional.of(3)), log);
        assertEquals(7, plan.launches());
        assertEquals(3, plan.size().repeats());
        assertEquals(21, plan.timedLaunches());
        assertEquals("captured 16", log.getFirst(), "16 launches show how long one takes");
        assertEquals(6, Collections.frequency(log, "replayed 16"), "three times, each behind another one");
        assertEquals("closed 16", log.getLast());
    }

    @Test
    void shortLaunchesHaveManyReplays() {
        assertEquals(new SamplePlan(100, new SampleSize(10, 50)), planned(2_000));
        assertEquals(new SamplePlan(100, new SampleSize(1, 2)), planned(95_000));
    }

    @Test
    void aReplayOfLongLaunchesTakesSomeMilliseconds() {
        assertEquals(new SamplePlan(10, new SampleSize(1, 1)), planned(1_000_000));
        assertEquals(new SamplePlan(4, new SampleSize(1, 1)), planned(5_000_000));
    }

    @Test
    void aNumberOfLaunchesThatIsGivenDecidesHowOftenTheyAreReplayed() {
        assertEquals(
                new SamplePlan(1_000, new SampleSize(1, 5)),
                SamplePlan.ofGraph(2_000, graph(Optional.of(1_000), Optional.empty())));
    }

    private static SamplePlan planned(double nanos) {
        return SamplePlan.ofGraph(nanos, graph(Optional.empty(), Optional.empty()));
    }

    private static Sampling graph(Optional<Integer> operations, Optional<Integer> replays) {
        return new Sampling(LaunchMethod.GRAPH, operations, replays, 2, Optional.empty());
    }

    private static SamplePlan measured(Sampling sampling, List<String> log) {
        CheckedCall shape =
                new CheckedCall(Collective.ALLREDUCE, 1, true, 1, DataType.INT32, ReduceOp.SUM, Sources.root(0));
        List<SamplePlan> plans = new ArrayList<>();
        new ThreadRanks(LocalGroupOptions.ranks(1).backend("host").timeout(TIMEOUT))
                .run(RankSettings.of(TIMEOUT), session -> {
                    try (MeasuredCall call = MeasuredCall.prepare(
                            session,
                            shape,
                            (communicator, input, output) -> RecordedStream.on(
                                    communicator.prepare(CollectiveCall.allReduce(input, output, DataType.INT32)),
                                    log))) {
                        plans.add(SamplePlan.of(call, sampling, true));
                    }
                });
        return plans.getFirst();
    }
}

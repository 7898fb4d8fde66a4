package org.mscclj.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.RecordedStream;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.cli.ranks.ThreadRanks;

class LaunchCountTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void aGraphHasTheRequestedLaunches() {
        List<String> log = new ArrayList<>();
        assertEquals(7, count(Optional.of(7), Optional.empty(), log));
        assertEquals(List.of("captured 16", "replayed 16", "replayed 16", "replayed 16", "closed 16"), log);
    }

    @Test
    void byDefaultAReplayTakesSomeMilliseconds() {
        List<String> log = new ArrayList<>();
        int count = count(Optional.empty(), Optional.of(17), log);
        assertTrue(count >= 4 && count <= 1_000, Integer.toString(count));
        assertEquals(List.of("captured 16", "replayed 16", "replayed 16", "closed 16"), log, "17 launches to warm up");
    }

    private static int count(Optional<Integer> graphOperations, Optional<Integer> warmUp, List<String> log) {
        PerfSettings settings = new PerfSettings(
                Collective.ALLREDUCE,
                1,
                List.of(1L),
                DataType.INT32,
                ReduceOp.SUM,
                0,
                Optional.empty(),
                List.of(BufferPlacement.IN_PLACE),
                LaunchMethod.GRAPH,
                graphOperations,
                2,
                warmUp,
                true,
                1);
        int[] count = new int[1];
        new ThreadRanks(LocalGroupOptions.ranks(1).backend("host").timeout(TIMEOUT))
                .run(RankSettings.of(TIMEOUT), session -> {
                    try (MeasuredCall call = MeasuredCall.prepare(
                            session,
                            settings.shape(1, BufferPlacement.IN_PLACE),
                            (communicator, input, output) -> RecordedStream.on(
                                    communicator.prepare(CollectiveCall.allReduce(input, output, DataType.INT32)),
                                    log))) {
                        count[0] = LaunchCount.of(call, settings, true);
                    }
                });
        return count[0];
    }
}

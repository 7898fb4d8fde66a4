package org.mscclj.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;
import org.mscclj.cli.ranks.RankPart;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.cli.ranks.ThreadRanks;

class MeasuredCallTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void everyNumberOfLaunchesHasItsTime() {
        assertEquals(21, MeasuredCall.operations(1, 1, 20));
        assertEquals(1L << 31, MeasuredCall.operations(1, 1, Integer.MAX_VALUE));
        assertEquals(1000L * 20_001, MeasuredCall.operations(1000, 1, 20_000));
        assertEquals(1000L * 1_000_000_001, MeasuredCall.operations(1000, 10_000, 100_000));
    }

    @Test
    void aGraphIsCapturedOnceAndReplayedForEachBatch() {
        CheckedCall shape = shape(Collective.ALLREDUCE, false, 33);
        onTwoRanks(session -> {
            List<String> log = new ArrayList<>();
            try (MeasuredCall call = MeasuredCall.prepare(
                    session,
                    shape,
                    (communicator, input, output) ->
                            RecordedStream.on(prepare(communicator, shape, input, output), log))) {
                try (Batch once = call.batch(LaunchMethod.GRAPH, 1);
                        Batch many = call.batch(LaunchMethod.GRAPH, 7)) {
                    assertTrue(call.check(5, once).isRight());
                    assertEquals(3, call.time(3, many).length);
                    assertTrue(call.check(6, once).isRight());
                }
            }
            assertEquals(
                    List.of(
                            "captured 1",
                            "captured 7",
                            "replayed 1",
                            "replayed 7",
                            "replayed 7",
                            "replayed 7",
                            "replayed 1",
                            "closed 7",
                            "closed 1"),
                    log);
        });
    }

    @Test
    void everySampleHasItsLeadInAndItsRepeats() {
        CheckedCall shape = shape(Collective.ALLREDUCE, true, 33);
        onTwoRanks(session -> {
            List<String> log = new ArrayList<>();
            try (MeasuredCall call = MeasuredCall.prepare(
                            session,
                            shape,
                            (communicator, input, output) ->
                                    RecordedStream.on(prepare(communicator, shape, input, output), log));
                    Batch batch = call.batch(LaunchMethod.GRAPH, 2)) {
                double[] nanos = call.time(2, batch, new SampleSize(1, 3));
                assertEquals(2, nanos.length);
                assertTrue(nanos[0] > 0 && nanos[1] > 0);
                assertEquals(8, Collections.frequency(log, "replayed 2"));
            }
        });
    }

    @Test
    void allRanksWarmUpEquallyOften() {
        CheckedCall shape = shape(Collective.ALLREDUCE, true, 33);
        List<Integer> replays = Collections.synchronizedList(new ArrayList<>());
        onTwoRanks(session -> {
            List<String> log = new ArrayList<>();
            try (MeasuredCall call = MeasuredCall.prepare(
                            session,
                            shape,
                            (communicator, input, output) ->
                                    RecordedStream.on(prepare(communicator, shape, input, output), log));
                    Batch batch = call.batch(LaunchMethod.GRAPH, 2)) {
                call.warmUp(Duration.ofMillis(5L * (session.rank() + 1)), batch, new SampleSize(0, 1));
                replays.add(Collections.frequency(log, "replayed 2"));
            }
        });
        assertEquals(replays.getFirst(), replays.getLast());
    }

    @Test
    void memoryThatTheHostCannotAccessIsFilledAndChecked() {
        for (CheckedCall shape : List.of(
                shape(Collective.ALLREDUCE, true, 1000),
                shape(Collective.ALLREDUCE, false, 1000),
                shape(Collective.ALLGATHER, true, 500),
                shape(Collective.REDUCESCATTER, true, 500),
                shape(Collective.ALLTOALL, false, 500))) {
            onTwoRanks(session -> {
                try (MeasuredCall call = MeasuredCall.prepare(
                        session,
                        shape,
                        bytes -> new DistantBuffer(session.communicator().allocate(bytes)),
                        (communicator, input, output) -> prepare(communicator, shape, near(input), near(output)))) {
                    assertTrue(call.check(1).isRight(), shape.toString());
                    call.fillWithZeros();
                    assertTrue(call.check(2).isRight(), shape.toString());
                }
            });
        }
    }

    @Test
    void errorsInSuchMemoryAreFound() {
        CheckedCall shape = shape(Collective.ALLGATHER, false, 8);
        onTwoRanks(session -> {
            try (MeasuredCall call = MeasuredCall.prepare(
                    session,
                    shape,
                    bytes -> new DistantBuffer(session.communicator().allocate(bytes)),
                    // The output is not written.
                    (communicator, input, output) ->
                            prepare(communicator, shape, near(input), communicator.allocate(output.byteSize())))) {
                assertFalse(call.check(1).isRight());
            }
        });
    }

    private static DeviceBuffer near(DeviceBuffer buffer) {
        return ((DistantBuffer) buffer).near();
    }

    private static CheckedCall shape(Collective collective, boolean inPlace, long count) {
        return new CheckedCall(
                collective,
                2,
                inPlace,
                count,
                DataType.FLOAT32,
                collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP,
                Sources.root(0));
    }

    private static PreparedOperation prepare(
            Communicator communicator, CheckedCall shape, DeviceBuffer input, DeviceBuffer output) {
        return communicator.prepare(
                new CollectiveCall(shape.collective(), input, output, shape.type(), shape.op(), 0, Optional.empty()));
    }

    private static void onTwoRanks(RankPart part) {
        new ThreadRanks(LocalGroupOptions.ranks(2).backend("host").timeout(TIMEOUT))
                .run(RankSettings.of(TIMEOUT), part);
    }
}

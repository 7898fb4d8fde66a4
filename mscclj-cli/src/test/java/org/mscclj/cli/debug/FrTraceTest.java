package org.mscclj.cli.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.CommandLineRun;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrTraceTest {
    private static final Duration LIMIT = Duration.ofSeconds(50);

    /**
     * Ranks 0 to 2 reduce twice, and send in a ring; then ranks 1 and 2, as a child, gather; in the end rank 2 does not
     * reduce.
     */
    @Test
    void aDumpIsWrittenAsPyTorchReadsIt(@TempDir Path folder) throws Exception {
        Path dump = folder.resolve("dump.json");
        Path traces = folder.resolve("traces");
        String name = "frtrace-" + ProcessHandle.current().pid();
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(3).name(name).timeout(LIMIT))) {
            group.run(world -> {
                int rank = world.rank();
                DeviceBuffer memory = world.allocate(96);
                DeviceBuffer other = world.allocate(16);
                CollectiveCall sum = CollectiveCall.allReduce(memory, DataType.FLOAT16);
                world.execute(sum).join();
                world.execute(TransferCall.batch()
                                .send(memory.slice(0, 16), (rank + 1) % 3)
                                .receive(other, (rank + 2) % 3))
                        .join();
                Optional<Communicator> pair = world.split(rank == 0 ? List.of() : List.of(1, 2), name + "-pair");
                pair.ifPresent(child -> {
                    try (DeviceBuffer all = child.allocate(32)) {
                        child.allGather(memory.slice(0, 16), all, DataType.INT32)
                                .join();
                    }
                });
                if (rank != 2) {
                    Work _ = world.execute(sum);
                }
                world.barrier();
                if (rank == 0) {
                    Files.writeString(dump, OwnDump.text());
                }
                world.barrier();
                if (rank == 2) {
                    world.execute(sum).join();
                }
                pair.ifPresent(Communicator::close);
            });
        }
        List<RecordedRank> records = RankRecords.parse(Files.readString(dump)).stream()
                .filter(record -> record.communicator().startsWith(name))
                .toList();
        assertEquals(5, records.size());
        FrTrace trace = new FrTrace(records);
        Map<Integer, byte[]> files = trace.files();
        assertEquals(Map.of().keySet(), trace.leftOut());
        assertEquals(List.of(0, 1, 2), List.copyOf(files.keySet()));

        Map<?, ?> ofOne = (Map<?, ?>) Unpickled.of(files.get(1));
        assertEquals("2.10", ofOne.get("version"));
        String world = records.stream()
                .filter(record -> record.communicator().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
        Map<?, ?> groups = (Map<?, ?>) ofOne.get("pg_config");
        assertEquals(Map.of("name", world, "desc", name, "ranks", "[0, 1, 2]"), groups.get(world));
        assertEquals(
                Map.of("name", world + ":0-1", "desc", "messages of " + name, "ranks", "[0, 1]"),
                groups.get(world + ":0-1"));
        assertEquals(4, groups.size(), groups::toString);
        assertEquals(
                List.of(
                        "nccl:all_reduce #1 [[48]] [[48]] Half completed",
                        "nccl:send 0->1 #2 [[16]] [] Byte completed",
                        "nccl:recv 1<-0 #2 [] [[16]] Byte completed",
                        "nccl:all_gather #1 [[4]] [[8]] Int completed"),
                calls(ofOne).subList(0, 4));
        String last = calls(ofOne).get(4);
        assertTrue(last.startsWith("nccl:all_reduce #2 [[48]] [[48]] Half s"), last); // scheduled, or started

        Map<?, ?> ofTwo = (Map<?, ?>) Unpickled.of(files.get(2));
        assertEquals(
                List.of(
                        "nccl:all_reduce #1 [[48]] [[48]] Half completed",
                        "nccl:send 1->0 #3 [[16]] [] Byte completed",
                        "nccl:recv 1<-0 #2 [] [[16]] Byte completed",
                        "nccl:all_gather #1 [[4]] [[8]] Int completed"),
                calls(ofTwo));
        assertEquals(
                List.of(0L, 1L, 2L, 3L),
                entries(ofTwo).stream().map(entry -> entry.get("record_id")).toList());

        CommandLineRun run = CommandLineRun.of("debug", "fr-trace", dump.toString(), "--output", traces.toString());
        assertEquals(0, run.code(), run.err());
        try (var written = Files.walk(traces)) {
            assertTrue(written.anyMatch(file -> file.getFileName().toString().equals("rank_2")), run.out());
        }
    }

    /** fr_trace has no name for the combination. */
    @Test
    void partsOfAReductionAreReductions() {
        String name = "frtrace-parts-" + ProcessHandle.current().pid();
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(1).name(name))) {
            group.run(world -> {
                try (DeviceBuffer memory = world.allocate(24)) {
                    world.execute(world.variable()
                                    .reduceScatter(
                                            List.of(memory.slice(0, 8)),
                                            memory.slice(16, 8),
                                            DataType.INT16,
                                            ReduceOp.SUM))
                            .join();
                }
                List<RecordedRank> records = RankRecords.parse(OwnDump.text()).stream()
                        .filter(record -> record.communicator().equals(name))
                        .toList();
                FrTrace trace = new FrTrace(records);
                assertEquals(
                        List.of("nccl:reduce #1 [[4]] [[4]] Short completed"),
                        calls((Map<?, ?>) Unpickled.of(trace.files().get(0))),
                        trace.leftOut()::toString);
            });
        }
    }

    private static List<Map<?, ?>> entries(Map<?, ?> trace) {
        return ((List<?>) trace.get("entries"))
                .stream().<Map<?, ?>>map(entry -> (Map<?, ?>) entry).toList();
    }

    private static List<String> calls(Map<?, ?> trace) {
        return entries(trace).stream()
                .map(entry -> {
                    List<?> types = (List<?>)
                            (((List<?>) entry.get("input_dtypes")).isEmpty()
                                    ? entry.get("output_dtypes")
                                    : entry.get("input_dtypes"));
                    return entry.get("profiling_name") + " #" + entry.get("collective_seq_id") + " "
                            + entry.get("input_sizes") + " " + entry.get("output_sizes") + " " + types.getFirst() + " "
                            + entry.get("state");
                })
                .toList();
    }

    @Test
    void launchesMissingInADumpAreNotCompared() {
        String dump = """
                {"communicator": "world", "id": "job", "worldRanks": [0, 1], "rank": %d, "size": 2, "pid": 7,
                 "time": "2026-01-01T00:00:00Z", "launches": 8, "completed": 8,
                 "entries": [%s],
                 "messages": [{"number": %d, "after": 0, "words": "send 1 bytes to rank 0", "operation": "messages", "bytes": 1,
                    "transfers": [{"sends": true, "peer": 0, "bytes": 1}], "state": "completed", "enqueued": "2026-01-01T00:00:00Z"}]}
                """;
        String entry = """
                {"sequence": %d, "words": "sum", "operation": "allreduce", "type": "int8", "bytes": 8, "state": "completed",
                 "enqueued": "2026-01-01T00:00:0%dZ"}""";
        String zero = dump.formatted(0, entry.formatted(7, 1) + "," + entry.formatted(8, 2), 1);
        String one =
                dump.formatted(1, entry.formatted(6, 0) + "," + entry.formatted(7, 1) + "," + entry.formatted(8, 2), 3);
        FrTrace trace = new FrTrace(RankRecords.parse(zero + one));
        Map<Integer, byte[]> files = trace.files();
        for (int rank = 0; rank < 2; rank++) {
            assertEquals(
                    List.of(
                            "nccl:all_reduce #7 [[8]] [[8]] Char completed",
                            "nccl:all_reduce #8 [[8]] [[8]] Char completed"),
                    calls((Map<?, ?>) Unpickled.of(files.get(rank))));
        }
        assertEquals(1, trace.leftOut().size());
        assertTrue(trace.leftOut().iterator().next().startsWith("messages of world, "), trace.leftOut()::toString);
    }

    /** Parts have sizes of their own on each rank, which fr_trace would not allow for. */
    @Test
    void collectivesOfSendsBecomeTheirSendsAndGraphsOfSeveralLaunchesAreLeftOut() {
        String dump = """
                {"communicator": "world", "id": "job", "worldRanks": [0, 1], "rank": %d, "size": 2, "pid": 7,
                 "time": "2026-01-01T00:00:00Z", "launches": 2, "completed": 2, "messages": [],
                 "entries": [
                    {"sequence": 1, "words": "alltoall of parts, by point_to_point", "operation": "alltoall", "type": "", "bytes": 1,
                     "algorithm": "point_to_point", "transfers": [{"sends": %b, "peer": %d, "bytes": 1}], "state": "completed",
                     "enqueued": "2026-01-01T00:00:00Z"},
                    {"sequence": 2, "words": "a graph of 2 launches", "operation": "graph", "type": "", "bytes": 8,
                     "algorithm": "ring", "state": "completed", "replay": true, "enqueued": "2026-01-01T00:00:01Z"}]}
                """;
        FrTrace trace = new FrTrace(RankRecords.parse(dump.formatted(0, true, 1) + dump.formatted(1, false, 0)));
        assertEquals(List.of("nccl:send 0->1 #2 [[1]] [] Byte completed"), calls((Map<?, ?>)
                Unpickled.of(trace.files().get(0))));
        assertEquals(List.of("nccl:recv 1<-0 #2 [] [[1]] Byte completed"), calls((Map<?, ?>)
                Unpickled.of(trace.files().get(1))));
        assertEquals(
                "[graph operations of world, for which fr_trace has no name]",
                trace.leftOut().toString());
    }
}

package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.trace.TraceFolder;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * {@code mscclj run --trace}, and traces of point-to-point operations. Isolated, since other plans of this process
 * would be traced, too.
 */
@Isolated
class TraceTest {
    private static final Pattern EVENT = Pattern.compile(
            "\\{\"name\":\"([\\w ]+)\",\"cat\":\"plan\",\"ph\":\"X\",\"pid\":(\\d+),\"tid\":(\\d+),"
                    + "\"ts\":([\\d.]+),\"dur\":([\\d.]+),\"args\":\\{\"plan\":\"([^\"]+)\",\"launch\":(\\d+),\"bytes\":(\\d+)\\}\\}");

    @TempDir
    private Path folder;

    /** Times in nanoseconds. */
    private record Traced(
            String name, int rank, int block, long start, long end, String plan, long launch, long bytes) {
        static Traced of(MatchResult match) {
            long start = nanos(match.group(4));
            return new Traced(
                    match.group(1),
                    Integer.parseInt(match.group(2)),
                    Integer.parseInt(match.group(3)),
                    start,
                    start + nanos(match.group(5)),
                    match.group(6),
                    Long.parseLong(match.group(7)),
                    Long.parseLong(match.group(8)));
        }

        private static long nanos(String micros) {
            return Long.parseLong(micros.replace(".", ""));
        }
    }

    private List<Traced> trace(String plan, String... options) throws IOException {
        Path file = folder.resolve("trace.json");
        List<String> words = new ArrayList<>(
                List.of("run", CommandLineRun.example(plan), "--count", "4096", "--iterations", "3", "--replays", "1"));
        words.addAll(List.of("--trace", file.toString()));
        words.addAll(List.of(options));
        CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
        assertEquals(0, run.code(), run::err);
        assertFalse(Files.exists(folder.resolve("trace.json.parts")));
        String text = Files.readString(file);
        try (JsonParser parser = JsonFactory.builder().build().createParser(ObjectReadContext.empty(), text)) {
            while (parser.nextToken() != null) {
                // it is JSON
            }
        }
        List<Traced> events = EVENT.matcher(text).results().map(Traced::of).toList();
        assertEquals(text.lines().filter(line -> line.contains("\"ph\":\"X\"")).count(), events.size());
        return events;
    }

    private static Set<Integer> ranks(List<Traced> events) {
        return events.stream().map(Traced::rank).collect(Collectors.toSet());
    }

    private static Set<String> names(List<Traced> events) {
        return events.stream().map(Traced::name).collect(Collectors.toSet());
    }

    /** The operations of a block do not overlap, except within a pipeline. */
    private static void assertNested(List<Traced> events) {
        Map<String, List<Traced>> rows = new TreeMap<>();
        events.forEach(event -> rows.computeIfAbsent(event.rank() + " " + event.block(), _ -> new ArrayList<>())
                .add(event));
        rows.values().forEach(row -> {
            row.sort(Comparator.comparingLong(Traced::start)
                    .thenComparing(Comparator.comparingLong(Traced::end).reversed()));
            Deque<Traced> open = new ArrayDeque<>();
            for (Traced event : row) {
                while (!open.isEmpty() && open.peek().end() <= event.start()) {
                    open.pop();
                }
                if (!open.isEmpty()) {
                    assertTrue(event.end() <= open.peek().end(), () -> event + " in " + open.peek());
                    assertEquals("pipeline", open.peek().name(), () -> event + " in " + open.peek());
                }
                open.push(event);
            }
        });
    }

    @Test
    void blocksOfThreadsAreTraced() throws IOException {
        List<Traced> events = trace("allreduce_ring_4ranks");
        assertEquals(Set.of(0, 1, 2, 3), ranks(events));
        assertTrue(
                names(events).containsAll(Set.of("signal", "wait")),
                () -> names(events).toString());
        assertTrue(events.stream().anyMatch(event -> event.bytes() > 0));
        events.forEach(event -> assertTrue(event.end() >= event.start(), event::toString));
        assertTrue(events.stream().mapToLong(Traced::launch).max().orElse(0) > 1, "several launches");
        assertNested(events);
    }

    @Test
    void tracesOfAnotherRunAreNotMixedIn() throws IOException {
        Path file = folder.resolve("trace.json");
        Path parts = Files.createDirectory(folder.resolve("trace.json.parts"));
        Path other = Files.writeString(parts.resolve("mscclj-other-rank0-1.trace.json"), "[\n]\n");
        CommandLineRun run = CommandLineRun.of(
                "run", CommandLineRun.example("allgather_2ranks"), "--count", "64", "--trace", file.toString());
        assertEquals(1, run.code(), run::err);
        assertTrue(run.err().contains("trace.json.parts holds traces of another run"), run::err);
        assertTrue(Files.exists(other));
        assertFalse(Files.exists(file));
    }

    @Test
    void ranksThatAreProcessesGoIntoOneFile() throws IOException {
        CommandLineRun run;
        Path file = folder.resolve("trace.json");
        run = CommandLineRun.of(
                "run",
                CommandLineRun.example("allgather_2ranks"),
                "--count",
                "4096",
                "--iterations",
                "1",
                "--procs",
                "--trace",
                file.toString());
        assertEquals(0, run.code(), run::err);
        List<Traced> events =
                EVENT.matcher(Files.readString(file)).results().map(Traced::of).toList();
        assertEquals(Set.of(0, 1), ranks(events));
        assertNested(events);
    }

    private static long bytes(List<Traced> events, int rank, String name) {
        return events.stream()
                .filter(event -> event.rank() == rank && event.name().equals(name))
                .mapToLong(Traced::bytes)
                .sum();
    }

    private List<Traced> traced(LocalGroupOptions options, LocalGroup.RankTask task) throws IOException {
        String before = System.getProperty(TraceFolder.PROPERTY, "");
        System.setProperty(TraceFolder.PROPERTY, folder.toString());
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(task);
        } finally {
            System.setProperty(TraceFolder.PROPERTY, before);
        }
        List<Traced> events = new ArrayList<>();
        for (Path file : new TraceFolder(folder).traces()) {
            EVENT.matcher(Files.readString(file)).results().map(Traced::of).forEach(events::add);
        }
        return events;
    }

    /** Messages of several chunks and lanes, an empty one, and one of a rank to itself. */
    @Test
    void messagesAreTraced() throws IOException {
        long bytes = (5 << 20) + 7;
        List<Traced> events = traced(LocalGroupOptions.ranks(2), communicator -> {
            int peer = 1 - communicator.rank();
            try (DeviceBuffer from = communicator.device().allocate(bytes);
                    DeviceBuffer to = communicator.device().allocate(2 * bytes)) {
                TransferCall call = TransferCall.batch()
                        .send(from, peer)
                        .receive(to.slice(0, bytes), peer)
                        .send(from.slice(0, 0), peer)
                        .receive(to.slice(0, 0), peer)
                        .send(from, communicator.rank())
                        .receive(to.slice(bytes, bytes), communicator.rank());
                communicator.execute(call).join();
                communicator.execute(call).join();
            }
        });
        assertEquals(Set.of(0, 1), ranks(events));
        for (int rank = 0; rank < 2; rank++) {
            assertEquals(2 * bytes, bytes(events, rank, "send to rank " + (1 - rank)));
            assertEquals(2 * bytes, bytes(events, rank, "receive from rank " + (1 - rank)));
            assertEquals(2 * bytes, bytes(events, rank, "copy"));
        }
        assertTrue(events.stream().anyMatch(event -> event.bytes() == 0), "the empty ones, too");
        assertEquals(Set.of(1L, 2L), events.stream().map(Traced::launch).collect(Collectors.toSet()));
        assertNested(events);
    }

    /** A window's put, get and signal between nodes, each of them in the traces of the rank that makes it. */
    @Test
    void accessesBetweenNodesAreTraced() throws IOException {
        long bytes = (1 << 20) + 3;
        List<Traced> events = traced(LocalGroupOptions.ranks(2).ranksPerNode(1), communicator -> {
            try (DeviceBuffer memory = communicator.device().allocate(2 * bytes);
                    DeviceBuffer own = communicator.device().allocate(bytes);
                    Window window = communicator.openWindow(memory)) {
                if (communicator.rank() == 0) {
                    window.put(own, 1, 0).join();
                    window.get(1, bytes, own).join();
                    window.signal(1).join();
                } else {
                    window.waitSignal(0).join();
                }
            }
        });
        assertEquals(bytes, bytes(events, 0, "put to rank 1"));
        assertEquals(bytes, bytes(events, 0, "get from rank 1"));
        assertEquals(
                Set.of("put to rank 1", "get from rank 1", "signal to rank 1", "wait for a signal from rank 0"),
                names(events));
        assertNested(events);
    }
}

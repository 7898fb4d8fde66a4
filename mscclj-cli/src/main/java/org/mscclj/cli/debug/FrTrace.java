package org.mscclj.cli.debug;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;

/**
 * Converts the dumps of a job to files for PyTorch's {@code fr_trace}: for each rank, the file that PyTorch's flight
 * recorder would have written. Point-to-point operations become calls of groups of two ranks, since fr_trace expects
 * every rank of a group to make each of its calls. Operations without a name in fr_trace are left out.
 */
final class FrTrace {
    /** The version of the format; fr_trace wants a number, a point, and a number. */
    private static final String VERSION = "2.10";

    /** fr_trace accepts only the names of two libraries; this is one of them. */
    private static final String LIBRARY = "nccl:";

    /** The names of collectives in fr_trace. */
    private static final Map<Collective, String> COLLECTIVES = Map.of(
            Collective.ALLREDUCE, "all_reduce",
            Collective.ALLGATHER, "all_gather",
            Collective.REDUCESCATTER, "reduce_scatter",
            Collective.BROADCAST, "broadcast",
            Collective.ALLTOALL, "all_to_all",
            Collective.REDUCE, "reduce",
            Collective.GATHER, "gather",
            Collective.SCATTER, "scatter");

    /** The names of element types in fr_trace. */
    private static final Map<DataType, String> TYPES = Map.ofEntries(
            Map.entry(DataType.INT8, "Char"),
            Map.entry(DataType.UINT8, "Byte"),
            Map.entry(DataType.INT16, "Short"),
            Map.entry(DataType.UINT16, "UInt16"),
            Map.entry(DataType.INT32, "Int"),
            Map.entry(DataType.UINT32, "UInt32"),
            Map.entry(DataType.INT64, "Long"),
            Map.entry(DataType.UINT64, "UInt64"),
            Map.entry(DataType.FLOAT16, "Half"),
            Map.entry(DataType.BFLOAT16, "BFloat16"),
            Map.entry(DataType.FLOAT32, "Float"),
            Map.entry(DataType.FLOAT64, "Double"),
            Map.entry(DataType.FLOAT8_E4M3, "Float8_e4m3fn"),
            Map.entry(DataType.FLOAT8_E5M2, "Float8_e5m2"));

    private static final Pattern PART = Pattern.compile("part [0-9]+ of reducescatter");

    private final List<RecordedRank> records;
    private final Set<String> leftOut = new TreeSet<>();

    /**
     * Creates the conversion of a job's dumps.
     *
     * @param records one for each rank and communicator
     */
    FrTrace(List<RecordedRank> records) {
        this.records = List.copyOf(records);
    }

    /**
     * The view that one rank has of a communicator.
     *
     * @param firstKnownByAll number of the first launch that the dumps of all ranks contain; earlier ones cannot be
     *     compared
     * @param withMessages whether the dumps of all ranks contain all point-to-point operations, which only their count
     *     identifies
     */
    private record Seen(RecordedRank record, long firstKnownByAll, boolean withMessages) {}

    /** An entry that has no number yet, and its time. */
    private record Entry(Instant made, Map<String, Object> values) {}

    /**
     * The call of an entry.
     *
     * @param number number of the call, equal on all ranks of the group
     * @param inputs elements of each input
     * @param outputs elements of each output
     */
    private record Call(
            Pickle.Pair group,
            String name,
            long number,
            boolean isMessage,
            List<Long> inputs,
            List<Long> outputs,
            String type) {}

    /** Returns the content of each rank's file, by world rank. */
    Map<Integer, byte[]> files() {
        Map<Integer, List<Seen>> ranks = new TreeMap<>();
        records.stream()
                .collect(Collectors.groupingBy(RecordedRank::id, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(communicator -> {
                    long firstKnownByAll = communicator.stream()
                            .mapToLong(record -> firstKnown(record, false))
                            .max()
                            .orElse(1);
                    boolean withMessages = communicator.stream().allMatch(record -> firstKnown(record, true) == 1)
                            && (firstKnownByAll == 1 || communicator.stream().noneMatch(FrTrace::hasParts))
                            && communicator.stream().noneMatch(FrTrace::hasGraphsOfMessages);
                    if (!withMessages) {
                        leftOut.add("messages of " + communicator.getFirst().communicator()
                                + ", of which a rank's dump lacks the first, or has some in a graph of"
                                + " several launches: only their count identifies them");
                    }
                    communicator.forEach(record -> ranks.computeIfAbsent(
                                    record.worldRanks().get(record.rank()), _ -> new ArrayList<>())
                            .add(new Seen(record, firstKnownByAll, withMessages)));
                });
        Map<Integer, byte[]> files = new TreeMap<>();
        ranks.forEach((rank, communicators) -> files.put(rank, Pickle.of(trace(communicators))));
        return files;
    }

    /** Returns what the files leave out, and why; complete after {@link #files}. */
    Set<String> leftOut() {
        return leftOut;
    }

    /** Whether some point-to-point operations are part of a launch with other operations. */
    private static boolean hasGraphsOfMessages(RecordedRank record) {
        return record.entries().stream()
                .anyMatch(launch -> launch.operation().equals("graph")
                        && !launch.transfers().isEmpty());
    }

    /** Whether some launches of all ranks consist of point-to-point operations. */
    private static boolean hasParts(RecordedRank record) {
        return record.entries().stream().anyMatch(launch -> launch.isOfMessages() && !launch.isAlone());
    }

    private static long firstKnown(RecordedRank record, boolean alone) {
        return record.entries().stream()
                .filter(launch -> launch.isAlone() == alone)
                .mapToLong(LaunchRecord::number)
                .min()
                .orElse(alone ? 1 : record.launches() + 1);
    }

    private Map<String, Object> trace(List<Seen> communicators) {
        Map<String, Object> groups = new LinkedHashMap<>();
        Map<String, Object> status = new LinkedHashMap<>();
        List<Entry> entries = new ArrayList<>();
        for (Seen seen : communicators) {
            RecordedRank record = seen.record;
            groups.put(record.id(), group(record.id(), record.communicator(), record.worldRanks()));
            Map<String, Object> last = new LinkedHashMap<>();
            last.put("last_enqueued_collective", record.launches());
            last.put("last_completed_collective", record.completed());
            status.put(record.id(), last);
            MessageCount count = new MessageCount(record);
            for (LaunchRecord launch : record.entries()) {
                calls(seen, launch, count)
                        .forEach(call -> entries.add(new Entry(launch.enqueued(), values(launch, call))));
            }
            groups.putAll(count.groups);
        }
        List<Map<String, Object>> numbered = new ArrayList<>();
        entries.stream()
                .sorted(Comparator.comparing(Entry::made)) // stable
                .forEach(entry -> {
                    entry.values.put("record_id", numbered.size());
                    entry.values.put("op_id", numbered.size());
                    numbered.add(entry.values);
                });
        Map<String, Object> trace = new LinkedHashMap<>();
        trace.put("version", VERSION);
        trace.put("pg_config", groups);
        trace.put("pg_status", status);
        trace.put("entries", numbered);
        return trace;
    }

    private static Map<String, Object> group(String id, String description, List<Integer> worldRanks) {
        Map<String, Object> group = new LinkedHashMap<>();
        group.put("name", id);
        group.put("desc", description);
        group.put("ranks", worldRanks.toString());
        return group;
    }

    private List<Call> calls(Seen seen, LaunchRecord launch, MessageCount count) {
        String communicator = seen.record.communicator();
        boolean isNamed = launch.isAlone()
                ? launch.operation().equals("messages")
                : Arrays.stream(Collective.values())
                        .anyMatch(collective -> collective.label().equals(label(launch)));
        if (!isNamed) {
            leftOut.add(launch.operation() + " operations of " + communicator + ", for which fr_trace has no name");
            return List.of();
        }
        if (launch.isOfMessages()) {
            return seen.withMessages
                    ? launch.transfers().stream().map(count::next).toList()
                    : List.of();
        }
        Collective collective = Collective.parse(label(launch));
        String name = COLLECTIVES.get(collective);
        if (name == null) {
            leftOut.add("plans of " + communicator + " that are no collective (" + collective + ")");
            return List.of();
        }
        return launch.number() < seen.firstKnownByAll
                ? List.of()
                : List.of(collective(seen.record, launch, collective, name));
    }

    /**
     * Returns the collective of a launch of all ranks. Each part of a variable-size reduce-scatter is a reduction to
     * the rank that receives it.
     */
    private static String label(LaunchRecord launch) {
        return PART.matcher(launch.operation()).matches() ? Collective.REDUCE.label() : launch.operation();
    }

    private static Call collective(RecordedRank record, LaunchRecord launch, Collective collective, String name) {
        int ranks = record.worldRanks().size();
        // neither may be known for a plan that was called directly
        Optional<DataType> type =
                Optional.of(launch.type()).filter(text -> !text.isEmpty()).map(DataType::parse);
        long elements = launch.bytes() / type.map(DataType::byteSize).orElse(1);
        long slice = elements
                / (collective == Collective.ALLGATHER ? collective.outputSlices(ranks) : collective.inputSlices(ranks));
        return new Call(
                new Pickle.Pair(record.id(), record.communicator()),
                name,
                launch.number(),
                false,
                List.of(slice * collective.inputSlices(ranks)),
                List.of(slice * collective.outputSlices(ranks)),
                Objects.requireNonNull(TYPES.get(type.orElse(DataType.UINT8))));
    }

    private static Map<String, Object> values(LaunchRecord launch, Call call) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("process_group", call.group);
        values.put("collective_seq_id", call.number);
        values.put("p2p_seq_id", call.isMessage ? call.number : 0);
        values.put("is_p2p", call.isMessage);
        values.put("profiling_name", LIBRARY + call.name);
        values.put("time_created_ns", nanos(launch.enqueued()));
        values.put("input_sizes", call.inputs.stream().map(List::of).toList());
        values.put("input_dtypes", Collections.nCopies(call.inputs.size(), call.type));
        values.put("output_sizes", call.outputs.stream().map(List::of).toList());
        values.put("output_dtypes", Collections.nCopies(call.outputs.size(), call.type));
        values.put("state", state(launch));
        values.put("time_discovered_started_ns", launch.seenStarted().map(FrTrace::nanos));
        values.put("time_discovered_completed_ns", launch.seenEnded().map(FrTrace::nanos));
        values.put("retired", launch.state().equals("completed"));
        values.put("frames", List.of());
        return values;
    }

    /** Returns the state: fr_trace knows three. A failed launch has never completed. */
    private static String state(LaunchRecord launch) {
        if (launch.state().equals("completed")) {
            return "completed";
        }
        return launch.seenStarted().isPresent() ? "started" : "scheduled";
    }

    private static long nanos(Instant time) {
        return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }

    /**
     * Numbers the point-to-point operations of a rank with each peer: the n-th from one rank to another is the n-th on
     * both.
     */
    private static final class MessageCount {
        private final RecordedRank record;
        private final Map<String, Object> groups = new LinkedHashMap<>();
        private final Map<String, Long> counts = new HashMap<>();

        MessageCount(RecordedRank record) {
            this.record = record;
        }

        Call next(LaunchRecord.Message message) {
            int from = message.sends() ? record.rank() : message.peer();
            int to = message.sends() ? message.peer() : record.rank();
            String id = record.id() + ":" + Math.min(from, to) + "-" + Math.max(from, to);
            List<Integer> worldRanks = Stream.of(from, to)
                    .map(rank -> record.worldRanks().get(rank))
                    .sorted()
                    .toList();
            String description = "messages of " + record.communicator();
            groups.putIfAbsent(id, group(id, description, worldRanks));
            // the ranks of the group are world ranks, in order
            int sender = worldRanks.indexOf(record.worldRanks().get(from));
            long number = 2 * counts.merge(id + "/" + sender, 1L, Long::sum)
                    + sender; // a second group for the opposite direction
            List<Long> size = List.of(message.bytes());
            return new Call(
                    new Pickle.Pair(id, description),
                    message.sends() ? "send " + sender + "->" + (1 - sender) : "recv " + (1 - sender) + "<-" + sender,
                    number,
                    true,
                    message.sends() ? size : List.of(),
                    message.sends() ? List.of() : size,
                    "Byte");
        }
    }
}

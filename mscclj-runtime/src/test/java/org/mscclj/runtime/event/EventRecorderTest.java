package org.mscclj.runtime.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.api.type.DataType;

/** What a flight recording shows. Isolated, since it records the whole process. */
@Isolated
class EventRecorderTest {
    private static final Set<Class<? extends Event>> TYPES = Set.of(
            OperationEvent.class,
            KeptLaunchEvent.class,
            KeptDumpEvent.class,
            WaitEvent.class,
            ConnectionEvent.class,
            PlanEvent.class,
            ProxyBatchEvent.class,
            FaultEvent.class);

    /** Those that a process has which works on GPUs. */
    private static final Set<String> ELSEWHERE = Set.of("org.mscclj.KernelCompile");

    @TempDir
    private Path folder;

    private static Configuration settings() throws Exception {
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(EventRecorderTest.class.getResourceAsStream("mscclj.jfc")),
                StandardCharsets.UTF_8)) {
            return Configuration.create(reader);
        }
    }

    private List<RecordedEvent> record(Recording recording, Runnable work) throws IOException {
        Path file = folder.resolve("events.jfr");
        try (recording) {
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("org.mscclj."))
                .toList();
    }

    private static List<RecordedEvent> named(String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("org.mscclj." + name))
                .toList();
    }

    private static LocalGroup open() {
        return LocalGroup.open(
                LocalGroupOptions.ranks(2).name("recorded").backend("host").verifyPlans(PlanVerification.WARN));
    }

    private static void launch() {
        ExecutionPlan plan = ExecutionPlan.load(Path.of("..", "examples", "plans", "sendrecv_port_2ranks.json"));
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                Stream stream = communicator.stream();
                try (DeviceBuffer buffer = communicator.allocate(4096);
                        DeviceBuffer received = communicator.allocate(4096);
                        PreparedOperation sum = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                        PreparedOperation ports =
                                communicator.prepare(PlanCall.of(plan, buffer, received, DataType.INT32));
                        Graph _ = stream.capture(() -> sum.launch(stream))) {
                    sum.run(communicator.timeout());
                    ports.run(communicator.timeout());
                }
            });
            group.run(communicator -> {
                if (communicator.rank() == 0) {
                    communicator.abort("a test");
                }
                assertThrows(AbortedException.class, communicator::barrier);
            });
        }
    }

    @Test
    void eachEventAppears() throws Exception {
        List<RecordedEvent> events = record(new Recording(settings()), EventRecorderTest::launch);

        RecordedEvent sum = named("Operation", events).stream()
                .filter(event -> event.getLong("sequence") == 1 && isOf(0, event))
                .findFirst()
                .orElseThrow();
        assertEquals("allreduce", sum.getString("operation"));
        assertEquals("int32", sum.getString("dataType"));
        assertEquals("sum", sum.getString("reduction"));
        assertEquals(-1, sum.getInt("root"));
        assertEquals(4096, sum.getLong("bytes"));
        assertFalse(sum.getString("algorithm").isEmpty());
        assertEquals(
                2,
                named("Operation", events).stream()
                        .filter(event -> event.getLong("sequence") == 0)
                        .count(),
                "one is captured on each rank");

        RecordedEvent wait = named("Wait", events).stream()
                .filter(event -> isOf(1, event) && event.getString("operation").equals("allreduce"))
                .findFirst()
                .orElseThrow();
        assertEquals(1, wait.getLong("launch"));
        assertTrue(wait.getBoolean("ended"));

        List<RecordedEvent> connections = named("Connection", events);
        assertEquals(Set.of(0, 1), ranks(connections));
        connections.forEach(connection -> {
            assertEquals(1 - connection.getInt("rank"), connection.getInt("peer"));
            assertEquals("host", connection.getString("transport"));
            assertTrue(connection.getBoolean("established"));
        });

        List<RecordedEvent> plans = named("PlanCompile", events);
        assertEquals(Set.of(0, 1), ranks(plans));
        assertEquals(
                Set.of("verify", "set_up", "compile"),
                plans.stream().map(event -> event.getString("phase")).collect(Collectors.toSet()));
        assertTrue(plans.stream().anyMatch(event -> event.getString("plan").contains("sendrecv")));
        assertTrue(plans.stream().allMatch(event -> event.getBoolean("ready")));

        List<RecordedEvent> batches = named("ProxyBatch", events);
        assertTrue(batches.stream().mapToInt(event -> event.getInt("triggers")).sum() > 0);
        assertTrue(batches.stream().mapToInt(event -> event.getInt("completed")).sum() > 0);
        assertTrue(batches.stream().anyMatch(event -> isOf(0, event)));

        List<RecordedEvent> faults = named("Fault", events);
        assertEquals(Set.of(0, 1), ranks(faults));
        faults.forEach(fault -> {
            assertEquals("recorded", fault.getString("communicator"));
            assertEquals("abort", fault.getString("kind"));
            assertEquals(-1, fault.getInt("lostRank"));
            assertTrue(fault.getString("reason").contains("a test"));
        });
        events.forEach(event -> assertEquals(null, event.getStackTrace()));
    }

    @Test
    void plansThatCouldNotBeMadeReadyAreTold() throws Exception {
        List<RecordedEvent> events = record(
                new Recording(),
                () -> assertThrows(
                        IllegalStateException.class,
                        () -> PlanEvent.around("p", 3, PlanPhase.SET_UP, () -> {
                            throw new IllegalStateException("on purpose");
                        })));
        RecordedEvent event = named("PlanCompile", events).getFirst();
        assertEquals("p", event.getString("plan"));
        assertEquals(3, event.getInt("rank"));
        assertEquals("set_up", event.getString("phase"));
        assertFalse(event.getBoolean("ready"));
    }

    /** As {@code jcmd PID JFR.dump} does it: nothing was recorded when the launch was made. */
    @Test
    void aDumpHasWhatTheRecorderKeeps() throws Exception {
        Recording recording = new Recording(settings());
        List<RecordedEvent> kept = new ArrayList<>();
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.allocate(4096)) {
                    communicator
                            .execute(CollectiveCall.allReduce(buffer, DataType.INT32))
                            .join();
                    communicator.barrier();
                }
            });
            kept.addAll(named("KeptLaunch", record(recording, () -> {})));
        }
        kept.removeIf(event -> !event.getString("communicator").equals("recorded"));
        assertEquals(Set.of(0, 1), ranks(kept));
        kept.forEach(event -> {
            assertEquals(1, event.getLong("sequence"));
            assertEquals("completed", event.getString("state"));
            assertTrue(event.getString("operation").startsWith("allreduce of 4 KiB int32, sum"));
            assertTrue(event.getInstant("enqueued").isBefore(event.getStartTime()));
        });
    }

    /** As in a program that ends by itself: the recording is dumped when the communicators are closed. */
    @Test
    void aDumpHasWhatTheRecorderOfAClosedCommunicatorKept() throws Exception {
        List<RecordedEvent> events = record(new Recording(settings()), () -> {
            try (LocalGroup group = open()) {
                group.run(communicator -> {
                    try (DeviceBuffer buffer = communicator.allocate(4096)) {
                        communicator
                                .execute(CollectiveCall.allReduce(buffer, DataType.INT32))
                                .join();
                        communicator.barrier();
                    }
                });
            }
        });
        assertEquals(
                Set.of(0, 1),
                ranks(named("KeptLaunch", events).stream()
                        .filter(event -> event.getString("communicator").equals("recorded"))
                        .toList()));
        assertEquals(
                Set.of(0, 1),
                ranks(named("KeptDump", events).stream()
                        .filter(event -> event.getString("communicator").equals("recorded"))
                        .toList()));
    }

    private static boolean isOf(int rank, RecordedEvent event) {
        return event.getString("communicator").equals("rank " + rank + " of recorded");
    }

    private static Set<Integer> ranks(List<RecordedEvent> events) {
        return events.stream().map(event -> event.getInt("rank")).collect(Collectors.toSet());
    }

    @Test
    void aRecordingThatAsksForNothingHasOnlyWhatIsRare() throws Exception {
        List<RecordedEvent> events = record(new Recording(), EventRecorderTest::launch);
        assertEquals(
                Set.of("org.mscclj.Connection", "org.mscclj.PlanCompile", "org.mscclj.Fault"),
                events.stream().map(event -> event.getEventType().getName()).collect(Collectors.toSet()));
    }

    @Test
    void theShippedSettingsNameEachEvent() throws Exception {
        Set<String> names = new TreeSet<>(ELSEWHERE);
        TYPES.forEach(type -> names.add(EventType.getEventType(type).getName()));
        Set<String> enabled = new TreeSet<>();
        settings().getSettings().forEach((name, value) -> {
            if (name.endsWith("#enabled") && value.equals("true")) {
                enabled.add(name.substring(0, name.indexOf('#')));
            }
        });
        assertEquals(names, enabled);
    }

    @Test
    void eventsAndFieldsAreDescribed() {
        for (Class<? extends Event> type : TYPES) {
            EventType described = EventType.getEventType(type);
            assertTrue(described.getDescription() != null, described::getName);
            assertEquals("MSCCLJ", described.getCategoryNames().getFirst());
            List<ValueDescriptor> own = described.getFields().stream()
                    .filter(field -> !Set.of("startTime", "duration", "eventThread", "stackTrace")
                            .contains(field.getName()))
                    .toList();
            assertFalse(own.isEmpty());
            for (ValueDescriptor field : own) {
                String name = described.getName() + "." + field.getName();
                assertTrue(field.getAnnotation(Label.class) != null, name);
                assertTrue(field.getAnnotation(Description.class) != null, name);
            }
        }
    }
}

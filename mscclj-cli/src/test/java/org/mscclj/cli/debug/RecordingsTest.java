package org.mscclj.cli.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Work;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.CommandLineRun;

/** Dumps in recordings that {@code jcmd} makes. Isolated, since it records the whole process. */
@Isolated
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordingsTest {
    private static final Duration LIMIT = Duration.ofSeconds(50);

    /** Enough launches for a dump of several events. */
    private static final int LAUNCHES = 300;

    private static final Path SETTINGS = Path.of(
            "..", "mscclj-runtime", "src", "main", "resources", "org", "mscclj", "runtime", "event", "mscclj.jfc");

    /** Executes a command of {@code jcmd} in this process. */
    private static void jcmd(String command, String... arguments) throws Exception {
        ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        command,
                        new Object[] {arguments},
                        new String[] {String[].class.getName()});
    }

    private static void record(Path file) throws Exception {
        jcmd("jfrStart", "name=kept", "settings=" + SETTINGS.toAbsolutePath().normalize());
        jcmd("jfrDump", "name=kept", "filename=" + file.resolveSibling("earlier.jfr"));
        jcmd("jfrDump", "name=kept", "filename=" + file);
        jcmd("jfrStop", "name=kept");
    }

    private static void launchTwiceBut(
            int late, Communicator communicator, CountDownLatch launched, CountDownLatch recorded)
            throws InterruptedException {
        CollectiveCall call = CollectiveCall.allReduce(communicator.allocate(1 << 20), DataType.FLOAT16);
        CollectiveCall small = CollectiveCall.allReduce(communicator.allocate(64), DataType.INT32);
        for (int i = 1; i < LAUNCHES; i++) {
            communicator.execute(small).join();
        }
        communicator.execute(call).join(); // which sets it up
        if (communicator.rank() != late) {
            Work _ = communicator.execute(call);
        }
        launched.countDown();
        recorded.await();
        if (communicator.rank() == late) {
            communicator.execute(call).join();
        }
    }

    @Test
    void aRecordingHasTheDumpsOfItsProcess(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("ranks.jfr");
        String name = "recorded-" + ProcessHandle.current().pid();
        CountDownLatch launched = new CountDownLatch(3);
        CountDownLatch recorded = new CountDownLatch(1);
        List<RecordedRank> asked;
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(3).name(name).timeout(LIMIT))) {
            Thread ranks = Thread.ofPlatform()
                    .start(() -> group.run(communicator -> launchTwiceBut(2, communicator, launched, recorded)));
            try {
                launched.await();
                record(file);
                asked = RankRecords.parse(OwnDump.text());
            } finally {
                recorded.countDown();
            }
            ranks.join();
        }
        CommandLineRun dump = CommandLineRun.of("debug", "dump", file.toString());
        assertEquals(0, dump.code(), dump.err());
        assertEquals("", dump.err());
        List<RecordedRank> read = of(name, RankRecords.parse(dump.out()));
        List<RecordedRank> wanted = of(name, asked);
        assertEquals(3, read.size(), dump.out());
        IntStream.range(0, 3).forEach(rank -> {
            RecordedRank one = read.get(rank);
            RecordedRank other = wanted.get(rank);
            assertEquals(other.id(), one.id());
            assertEquals(other.launches(), one.launches());
            assertEquals(other.descriptions(), one.descriptions());
        });
        Path json = Files.writeString(folder.resolve("ranks.json"), dump.out());
        CommandLineRun diff = CommandLineRun.of("debug", "diff", file.toString());
        assertEquals(0, diff.code(), diff.err());
        assertTrue(
                diff.out()
                        .lines()
                        .anyMatch(line -> line.startsWith(name + ": rank 2 (process ")
                                && line.contains("has not called #" + (LAUNCHES + 1) + ", allreduce of 1 MiB float16")),
                diff.out());
        assertEquals(
                diff.out(), CommandLineRun.of("debug", "diff", json.toString()).out());
        CommandLineRun trace = CommandLineRun.of(
                "debug",
                "fr-trace",
                file.toString(),
                "--output",
                folder.resolve("trace").toString());
        assertEquals(0, trace.code(), trace.err());
    }

    private static List<RecordedRank> of(String communicator, List<RecordedRank> records) {
        return records.stream()
                .filter(record -> record.communicator().equals(communicator))
                .sorted((one, other) -> Integer.compare(one.rank(), other.rank()))
                .toList();
    }

    @Test
    void otherFilesAreReported(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("missing.jfr");
        Path empty = Files.writeString(folder.resolve("empty.jfr"), "no recording");
        for (String command : List.of("dump", "diff")) {
            CommandLineRun ofMissing = CommandLineRun.of("debug", command, missing.toString());
            assertEquals(2, ofMissing.code());
            assertTrue(ofMissing.err().contains("there is no file " + missing), ofMissing.err());
            CommandLineRun ofOther = CommandLineRun.of("debug", command, empty.toString());
            assertTrue(ofOther.code() != 0);
            assertTrue(ofOther.err().contains("cannot read a recording from " + empty), ofOther.err());
        }
        Path bare = folder.resolve("bare.jfr");
        jcmd("jfrStart", "name=bare", "settings=none");
        jcmd("jfrStop", "name=bare", "filename=" + bare);
        CommandLineRun ofBare = CommandLineRun.of("debug", "dump", bare.toString());
        assertEquals(1, ofBare.code());
        assertTrue(ofBare.err().contains("start it with settings=mscclj.jfc"), ofBare.err());
        CommandLineRun neither = CommandLineRun.of("debug", "dump", "ranks.txt");
        assertEquals(2, neither.code());
        assertTrue(neither.err().contains("or a recording, FILE.jfr"), neither.err());
    }
}

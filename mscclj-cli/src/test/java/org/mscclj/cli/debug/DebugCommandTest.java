package org.mscclj.cli.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.mesh.CommunicatorMesh;
import org.mscclj.api.mesh.Dimension;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.CommandLineRun;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DebugCommandTest {
    private static final Duration LIMIT = Duration.ofSeconds(50);

    @Test
    void aDumpOfThisProcessNamesTheRankThatIsLate(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("dump.json");
        String name = "debug-" + ProcessHandle.current().pid();
        CountDownLatch launched = new CountDownLatch(3);
        CountDownLatch dumped = new CountDownLatch(1);
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(3).name(name).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(1 << 20);
                CollectiveCall call = CollectiveCall.allReduce(memory, DataType.FLOAT16);
                communicator.execute(call).join();
                if (communicator.rank() != 2) {
                    Work _ = communicator.execute(call);
                }
                launched.countDown();
                if (communicator.rank() == 0) {
                    launched.await();
                    Files.writeString(file, OwnDump.text());
                    dumped.countDown();
                }
                dumped.await();
                if (communicator.rank() == 2) {
                    communicator.execute(call).join();
                }
            });
        }
        CommandLineRun diff = CommandLineRun.of("debug", "diff", file.toString());
        assertEquals(0, diff.code(), diff.err());
        assertTrue(
                diff.out()
                        .lines()
                        .anyMatch(line -> line.startsWith(name
                                        + ": rank 2 (process "
                                        + ProcessHandle.current().pid()
                                        + ") has not called #2, allreduce of 1 MiB float16, sum, in place, by ")
                                && line.endsWith(", which ranks 0 and 1 wait in")),
                diff.out());
        Path cut = Files.writeString(
                folder.resolve("cut.json"), Files.readString(file).substring(0, 200));
        CommandLineRun withCut = CommandLineRun.of("debug", "diff", cut.toString(), file.toString());
        assertEquals(0, withCut.code(), withCut.err());
        assertEquals(diff.out(), withCut.out());
        assertTrue(withCut.err().contains("left out: cannot read a dump from " + cut), withCut.err());
        // a dump is a file, which may come from anywhere
        Path rogue = Files.writeString(
                folder.resolve("rogue.json"),
                Files.readString(file).replace("\"" + name + "\"", "\"\\u001b]0;title\\u0007\\nrank 7 is to blame\""));
        CommandLineRun escaped = CommandLineRun.of("debug", "diff", rogue.toString());
        assertEquals(0, escaped.code(), escaped.err());
        assertFalse(escaped.out().contains("\u001b"), escaped.out());
        assertFalse(escaped.out().lines().anyMatch(line -> line.startsWith("rank 7")), escaped.out());
        CommandLineRun nothing = CommandLineRun.of("debug", "diff", cut.toString());
        assertEquals(2, nothing.code());
        assertTrue(nothing.err().contains("there is no dump of any rank in [" + cut + "]"), nothing.err());
    }

    @Test
    void communicatorsOfOneNameAreDistinguished(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("dump.json");
        long pid = ProcessHandle.current().pid();
        String name = "mesh-" + pid;
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(4).name(name).timeout(LIMIT))) {
            group.run(world -> {
                try (CommunicatorMesh mesh =
                        CommunicatorMesh.open(world, new Dimension("data", 2), new Dimension("tensor", 2))) {
                    Communicator tensor = mesh.along("tensor"); // of ranks 0 and 1, and of ranks 2 and 3
                    CollectiveCall call = CollectiveCall.allReduce(tensor.allocate(1 << 10), DataType.FLOAT16);
                    tensor.execute(call).join();
                    if (world.rank() != 3) {
                        Work _ = tensor.execute(call);
                    }
                    world.barrier();
                    if (world.rank() == 0) {
                        Files.writeString(file, OwnDump.text());
                    }
                    world.barrier();
                    if (world.rank() == 3) {
                        tensor.execute(call).join();
                    }
                }
            });
        }
        CommandLineRun diff = CommandLineRun.of("debug", "diff", file.toString());
        assertEquals(0, diff.code(), diff.err());
        List<String> tensors = diff.out()
                .lines()
                .filter(line -> line.startsWith(name + ".tensor "))
                .toList();
        assertEquals(2, tensors.size(), diff.out());
        assertTrue(
                tensors.stream()
                        .anyMatch(line -> line.contains(" of world ranks [2, 3], ")
                                && line.contains(": rank 1 (world rank 3, process " + pid + ") has not called #2, ")
                                && line.endsWith(", which rank 0 waits in")),
                diff.out());
        assertTrue(
                tensors.stream()
                        .anyMatch(
                                line -> line.contains(" of world ranks [0, 1], ") && !line.contains("has not called")),
                diff.out());
    }

    @Test
    void aProcessThatDoesNotAnswerIsAnError() {
        CommandLineRun dump = CommandLineRun.of("debug", "dump", "999999999");
        assertEquals(1, dump.code());
        assertTrue(dump.err().contains("999999999"), dump.err());
    }
}

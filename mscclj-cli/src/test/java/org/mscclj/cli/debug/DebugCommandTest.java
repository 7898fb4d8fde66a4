package org.mscclj.cli.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.CommandLineRun;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DebugCommandTest {
    private static final Duration LIMIT = Duration.ofSeconds(50);

    @Test
    void aDumpOfThisProcessNamesTheRankThatIsLate(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("dump.json");
        String name = "debug-" + ProcessHandle.current().pid();
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(3).name(name).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(1 << 20);
                CollectiveCall call = CollectiveCall.allReduce(memory, DataType.FLOAT16);
                communicator.execute(call).join();
                if (communicator.rank() != 2) {
                    Work _ = communicator.execute(call);
                }
                communicator.barrier();
                if (communicator.rank() == 0) {
                    CommandLineRun dump = CommandLineRun.of(
                            "debug",
                            "dump",
                            String.valueOf(ProcessHandle.current().pid()));
                    assertEquals(0, dump.code(), dump.err());
                    Files.writeString(file, dump.out());
                }
                communicator.barrier();
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
                                        + ": rank 2 has not called #2, allreduce of 1 MiB float16, sum, in place, by ")
                                && line.endsWith(", which ranks 0 and 1 wait in")),
                diff.out());
    }

    @Test
    void aProcessThatDoesNotAnswerIsAnError() {
        CommandLineRun dump = CommandLineRun.of("debug", "dump", "999999999");
        assertEquals(1, dump.code());
        assertTrue(dump.err().contains("999999999"), dump.err());
    }
}

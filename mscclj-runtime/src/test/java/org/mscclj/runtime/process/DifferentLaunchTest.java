package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.runtime.dump.DumpSocket;

/** Ranks in processes of their own, one of which launches something else. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DifferentLaunchTest {
    private static final int RANKS = 3;

    @Test
    void everyRankSaysWhichAndLeavesADump(@TempDir Path folder) throws Exception {
        String job = "test-" + UUID.randomUUID();
        Map<String, String> environment = Map.of(
                "MSCCLJ_WATCHDOG_ENQUEUE_SECONDS",
                "1",
                "MSCCLJ_DEBUG_DUMP_DIR",
                folder.toString(),
                "XDG_RUNTIME_DIR",
                folder.toString());
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < RANKS; rank++) {
                ranks.add(RankJvm.start(DifferentLaunch.class, rank, RANKS, job, environment));
            }
            for (Process rank : ranks) {
                try (BufferedReader output = rank.inputReader()) {
                    String line = Objects.requireNonNullElse(output.readLine(), "nothing");
                    assertTrue(
                            line.matches("missing \\[1\\]: .*launch #3, .*: not ended after [0-9.]+ m?s, counted"
                                    + " from when it was enqueued; rank 1 called broadcast of 64 bytes int8,"
                                    + " root 0, in place, by [a-z_]+, in allocation 1 at offset 0 as"
                                    + " #3, where ranks 0 and 2 called allreduce of 64 bytes"
                                    + " int8, sum, in place, by .*"),
                            line);
                }
            }
            for (Process rank : ranks) {
                String dump = ask(DumpSocket.folder(environment).resolve(rank.pid() + ".sock"));
                assertTrue(dump.startsWith("[{\"process\":" + rank.pid() + ",\n\"healthy\":false,\n"), dump);
                assertTrue(dump.contains("\"kind\":\"timeout\",\n\"reason\":\"world, rank "), dump);
                assertTrue(dump.contains("\"words\":\"allreduce of 64 bytes int8, sum, in place"), dump);
                rank.outputWriter().write('\n');
                rank.outputWriter().close();
                assertEquals(0, rank.waitFor());
            }
            try (Stream<Path> files = Files.list(folder)) {
                List<Path> dumps = files.filter(file -> file.toString().endsWith(".json"))
                        .sorted()
                        .toList();
                assertEquals(RANKS, dumps.size(), dumps::toString);
                for (int rank = 0; rank < RANKS; rank++) {
                    String dump = Files.readString(dumps.get(rank));
                    assertTrue(dump.contains("\"rank\":" + rank + ",\n\"size\":3"), dump);
                    assertTrue(dump.contains("\"completed\":2,\n\"aborted\":\"world, rank "), dump);
                }
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    private static String ask(Path socket) throws Exception {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.runtime.bootstrap.RankThreads;

/** Communicators that are closed leave nothing open. Counts what the whole JVM has, so nothing else may run. */
@Isolated
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeakTest {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final int TOLERANCE = 8;

    private static void openAndClose(int times) throws Exception {
        for (int time = 0; time < times; time++) {
            UniqueId id = UniqueId.create();
            RankThreads.run(2, rank -> {
                try (Communicator communicator = Communicator.open(
                        CommunicatorOptions.rank(rank, 2).uniqueId(id).timeout(Duration.ofSeconds(30)))) {
                    communicator.barrier();
                }
            });
        }
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(OPEN_FILES)) {
            return files.count();
        }
    }

    @Test
    void hundredCommunicatorsLeaveNoThreadsAndNoOpenFiles() throws Exception {
        Assumptions.assumeTrue(Files.isDirectory(OPEN_FILES), "open files are counted in /proc, which only Linux has");
        openAndClose(5);
        long files = openFiles();
        int threads = Thread.activeCount();
        openAndClose(100);
        long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while ((openFiles() > files + TOLERANCE || Thread.activeCount() > threads + TOLERANCE)
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(10_000_000); // peers end their side a moment later
        }
        long filesAfter = openFiles();
        int threadsAfter = Thread.activeCount();
        assertTrue(filesAfter <= files + TOLERANCE, () -> files + " open files became " + filesAfter);
        assertTrue(threadsAfter <= threads + TOLERANCE, () -> threads + " threads became " + threadsAfter);
    }
}

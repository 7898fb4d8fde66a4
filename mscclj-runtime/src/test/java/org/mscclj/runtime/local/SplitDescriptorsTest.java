package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Communicators between the same processes share their connections. Counts the descriptors of the whole process. */
@Isolated
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SplitDescriptorsTest {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final int RANKS = 2;
    private static final int SPLITS = 100;

    /** For all splits and ranks together: what others open meanwhile. Each split needed 4 a rank, alone for a sum. */
    private static final int MAX = 8;

    @Test
    void hundredSplitsBetweenNodesNeedNoDescriptorsOfTheirOwn() {
        assumeTrue(Files.isDirectory(OPEN_FILES), "open files are counted in /proc, which only Linux has");
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(RANKS).ranksPerNode(1).timeout(Duration.ofSeconds(120)))) {
            group.run(SplitDescriptorsTest::sum); // opens what all share
            long before = openFiles();
            List<Long> after = new ArrayList<>();
            group.run(communicator -> {
                List<Communicator> kept = new ArrayList<>();
                for (int split = 0; split < SPLITS; split++) {
                    Communicator child =
                            communicator.split(List.of(0, 1), "split " + split).orElseThrow();
                    kept.add(child);
                    sum(child);
                }
                communicator.barrier();
                if (communicator.rank() == 0) {
                    after.add(openFiles());
                }
                communicator.barrier();
                kept.forEach(SplitDescriptorsTest::sum); // all of them still work
                kept.forEach(Communicator::close);
            });
            long added = after.getFirst() - before;
            System.out.println("SplitDescriptorsTest: " + SPLITS + " splits of " + RANKS + " ranks added " + added);
            assertTrue(
                    added <= MAX,
                    () -> SPLITS + " splits of " + RANKS + " ranks added " + added + " descriptors to " + before
                            + "; allowed: " + MAX + " in all");
        }
    }

    private static void sum(Communicator communicator) {
        try (TypedBuffer buffer = communicator.allocate(DataType.INT32, 1)) {
            buffer.copyFrom(new int[] {communicator.rank() + 1});
            communicator.allReduce(buffer, ReduceOp.SUM).join();
            int[] sum = new int[1];
            buffer.copyTo(sum);
            assertEquals(3, sum[0]);
        }
    }

    private static long openFiles() {
        try (Stream<Path> files = Files.list(OPEN_FILES)) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/**
 * What tests of in-place int32 allreduces share: data that every rank can compute, so that a misplaced chunk cannot
 * hide.
 */
final class IntegerRanks {
    static final Duration LIMIT = Duration.ofSeconds(30);

    private IntegerRanks() {}

    static ExecutionPlan example(String name) {
        return ExecutionPlan.load(Path.of("..", "examples", "plans", name + ".json"));
    }

    static LocalGroup open(int ranks, ExecutorOptions limits) {
        return LocalRanks.open(LocalGroupOptions.ranks(ranks).timeout(LIMIT), limits);
    }

    /** Fills a buffer with a rank's contribution to a round. */
    static void fill(DeviceBuffer buffer, int rank, int round) {
        for (long i = 0; i < buffer.byteSize() / Integer.BYTES; i++) {
            buffer.segment().setAtIndex(ValueLayout.JAVA_INT, i, contribution(i, rank, round));
        }
    }

    /** Checks that a buffer holds the sum of the given ranks' contributions. */
    static void requireSum(Communicator communicator, DeviceBuffer buffer, int round) {
        for (long i = 0; i < buffer.byteSize() / Integer.BYTES; i++) {
            int expected = 0;
            for (int rank = 0; rank < communicator.size(); rank++) {
                expected += contribution(i, rank, round);
            }
            int actual = buffer.segment().getAtIndex(ValueLayout.JAVA_INT, i);
            if (actual != expected) {
                fail(communicator.name() + ", rank " + communicator.rank() + ", round " + round + ", element " + i
                        + ": expected " + expected + ", got " + actual);
            }
        }
    }

    private static int contribution(long index, int rank, int round) {
        long mixed = (index * 0x9E3779B97F4A7C15L + rank) * 0xBF58476D1CE4E5B9L + round;
        return (int) (mixed ^ mixed >>> 31);
    }

    /** Lets ranks drift. */
    static void delay(Random random) {
        if (random.nextInt(8) == 0) {
            LockSupport.parkNanos(random.nextInt(200_000));
        }
    }
}

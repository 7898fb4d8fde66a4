package org.mscclj.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Microseconds of an allreduce of 4 KB between ranks that are threads, with the flight recorder and the watchdog, and without them. On a machine that does
 * other things too, run forks of both in turn, and many: {@code -f 1} again and again.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgs = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class RecorderBenchmark {
    private static final long BYTES = 4096;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** Number of ranks; with one there is nobody to wait for. */
    @Param({"1", "2"})
    public int ranks;

    /** Whether launches are recorded and watched. */
    @Param({"true", "false"})
    public boolean watched;

    private final List<Thread> others = new ArrayList<>();
    private LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(1));
    private PreparedOperation operation = prepare(group.communicator(0));

    /** Opens the ranks. All but rank 0 launch whenever it does. */
    @Setup
    public void open() {
        close();
        if (!watched) {
            System.setProperty("mscclj.recorder.entries", "0");
            System.setProperty("mscclj.watchdog.enqueue.seconds", "0");
            System.setProperty("mscclj.watchdog.start.seconds", "0");
        }
        group = LocalGroup.open(LocalGroupOptions.ranks(ranks).timeout(LIMIT));
        for (int rank = 1; rank < ranks; rank++) {
            Communicator communicator = group.communicator(rank);
            others.add(Thread.ofPlatform().daemon().start(() -> repeat(communicator)));
        }
        operation = prepare(group.communicator(0));
    }

    private static PreparedOperation prepare(Communicator communicator) {
        return communicator.prepare(CollectiveCall.allReduce(communicator.allocate(BYTES), DataType.FLOAT32));
    }

    private static void repeat(Communicator communicator) {
        PreparedOperation operation = prepare(communicator);
        try {
            while (true) {
                operation.run(LIMIT);
            }
        } catch (MsccljException _) {
            // aborted: it is over
        }
    }

    /** Ends the ranks. */
    @TearDown
    public void close() {
        group.abort("the benchmark is over");
        for (Thread other : others) {
            try {
                other.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        others.clear();
        group.close();
    }

    /** One launch, and the wait for it. */
    @Benchmark
    public void run() {
        operation.run(LIMIT);
    }
}

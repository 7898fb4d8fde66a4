package org.mscclj.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
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
 * Measures microseconds of a prepared launch on one rank: the cost of the interpreter, the stream and the scheduler
 * without waits for peers. For launches that reduce, in comparison with C, see {@link PlanComparison}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgs = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class LaunchBenchmark {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** Thread blocks of the plan, each of which reduces one chunk from one source. */
    @Param({"1", "8", "32"})
    public int blocks;

    /** Bytes of the message. */
    @Param({"1024", "1048576"})
    public long bytes;

    private LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(1));
    private DeviceBuffer buffer = group.communicator(0).allocate(0);
    private PreparedOperation operation = prepare();

    private PreparedOperation prepare() {
        Communicator communicator = group.communicator(0);
        return communicator.prepare(
                PlanCall.of(DirectAllReduce.plan(1, Math.max(1, blocks)), buffer, buffer, DataType.FLOAT32));
    }

    /** Prepares the launch. */
    @Setup
    public void open() {
        operation.close();
        buffer.close();
        buffer = group.communicator(0).allocate(bytes);
        operation = prepare();
    }

    /** Frees everything. */
    @TearDown
    public void close() {
        operation.close();
        buffer.close();
        group.close();
    }

    /** Runs one launch. */
    @Benchmark
    public void launch() {
        operation.run(LIMIT);
    }
}

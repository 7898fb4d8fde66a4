package org.mscclj.benchmarks;

import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.reduce.ReduceKernel;
import org.mscclj.backend.host.kernel.variant.VectorSupport;
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

/** Measures microseconds of one reduction; for a comparison with C see {@link ReduceComparison}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgs = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class ReduceBenchmark {
    private static final int GAP = 4096 + 320;

    /** Element type. */
    @Param({"FLOAT32", "FLOAT64", "INT32", "FLOAT16", "BFLOAT16", "FLOAT8_E4M3"})
    public DataType type = DataType.FLOAT32;

    /** Operation. */
    @Param("SUM")
    public ReduceOp.Kind kind = ReduceOp.Kind.SUM;

    /** Bytes of a source. */
    @Param({"16384", "65536", "67108864"})
    public long bytes;

    /** Number of sources. */
    @Param({"2", "4"})
    public int count;

    private Arena arena = Arena.ofConfined();
    private ReduceKernel kernel = ReduceKernel.of(type, kind);
    private long destination;
    private long[] sources = {};

    /** Allocates zeroed sources, and waits until the vector kernel is in use. */
    @Setup
    public void allocate() {
        arena = Arena.ofConfined();
        kernel = ReduceKernel.of(type, kind);
        destination = arena.allocate((count + 1) * (bytes + GAP), 4096).address();
        sources = new long[count];
        for (int i = 0; i < count; i++) {
            sources[i] = destination + (i + 1) * (bytes + GAP);
        }
        for (long done = 0; done <= VectorSupport.BYTES_BEFORE_VECTORS; done += bytes) {
            reduce();
        }
        VectorSupport.awaitWarmUp();
    }

    /** Frees the memory. */
    @TearDown
    public void free() {
        arena.close();
    }

    /** Runs one reduction. */
    @Benchmark
    public void reduce() {
        if (count == 2) {
            kernel.reduce(destination, sources[0], sources[1], bytes);
        } else {
            kernel.reduce(destination, sources, count, bytes);
        }
    }
}

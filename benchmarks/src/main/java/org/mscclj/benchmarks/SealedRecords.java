package org.mscclj.benchmarks;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.mscclj.spi.protection.RecordCipher;
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
import org.openjdk.jmh.annotations.Warmup;

/** Measures the cost of encryption: one record sealed by the sender and opened by the receiver, on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SealedRecords {
    private static final int LENGTH = Integer.BYTES;

    /** Bytes of a record: a signal, a small message, and the maximum. */
    @Param({"40", "1024", "32768"})
    public int bytes;

    private final RecordCipher sealing = RecordCipher.sealing(new byte[RecordCipher.KEY_BYTES]);
    private final RecordCipher opening = RecordCipher.opening(new byte[RecordCipher.KEY_BYTES]);
    private final byte[] header = new byte[LENGTH];
    private ByteBuffer plain = ByteBuffer.allocate(0);
    private ByteBuffer sealed = ByteBuffer.allocate(0);
    private ByteBuffer opened = ByteBuffer.allocate(0);

    /** Creates the benchmark; called by JMH. */
    public SealedRecords() {}

    /** Allocates buffers as in the transport: off the heap for posted data, on the heap for sealed data. */
    @Setup
    public void allocate() {
        byte[] noise = new byte[bytes];
        new SplittableRandom(1).nextBytes(noise);
        plain = ByteBuffer.allocateDirect(bytes).put(noise).flip();
        sealed = ByteBuffer.allocate(bytes + RecordCipher.OVERHEAD);
        opened = ByteBuffer.allocate(bytes + RecordCipher.OVERHEAD);
    }

    /** Seals and opens a record. */
    @Benchmark
    public boolean sealAndOpen() {
        boolean both = sealing.next(header, plain.rewind(), sealed.clear());
        both &= opening.next(header, sealed.flip(), opened.clear());
        return both;
    }

    /** The cost of the same record without encryption: two copies. */
    @Benchmark
    public ByteBuffer copyTwice() {
        sealed.clear().put(plain.rewind());
        return opened.clear().put(sealed.flip());
    }
}

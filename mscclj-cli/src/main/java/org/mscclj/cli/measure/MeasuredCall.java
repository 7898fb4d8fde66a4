package org.mscclj.cli.measure;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Definition;
import org.mscclj.cli.check.InputData;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.check.RankMemory;
import org.mscclj.cli.check.RankVerifier;
import org.mscclj.cli.ranks.RankSession;

/**
 * A prepared call with its buffers, on one rank. All methods are collective: every rank calls them in the same order
 * with the same arguments, and gets the same result.
 */
public final class MeasuredCall implements AutoCloseable {
    /** Number of set-up steps (allocations, mappings, agreements), each with a timeout of its own. */
    private static final int PREPARATION_STEPS = 8;

    private static final double NO_FASTER = 0.9;

    private final RankSession session;
    private final CheckedCall shape;
    private final RankBuffers buffers;
    private final PreparedOperation operation;

    private MeasuredCall(RankSession session, CheckedCall shape, RankBuffers buffers, PreparedOperation operation) {
        this.session = session;
        this.shape = shape;
        this.buffers = buffers;
        this.operation = operation;
    }

    /**
     * Allocates registered buffers and prepares the operation.
     *
     * @throws UnsupportedException if the backend does not support the call; the session stays usable
     */
    public static MeasuredCall prepare(RankSession session, CheckedCall shape, OperationSource source) {
        return prepare(session, shape, session.communicator()::allocate, source);
    }

    /**
     * Prepares the operation on memory of another kind.
     *
     * @param memory allocates a number of bytes, which closing frees
     */
    public static MeasuredCall prepare(
            RankSession session, CheckedCall shape, LongFunction<DeviceBuffer> memory, OperationSource source) {
        session.beginOperations("prepare", PREPARATION_STEPS);
        RankBuffers buffers = allocate(session, shape, memory);
        try {
            return new MeasuredCall(
                    session, shape, buffers, source.prepare(session.communicator(), buffers.input(), buffers.output()));
        } catch (UnsupportedException e) {
            // Every rank gets the same exception, and the communicator stays usable.
            try (buffers) {
                session.beginClose();
                throw e;
            }
        } catch (RuntimeException | Error e) {
            session.failed(e);
            try (buffers) {
                throw e;
            }
        }
    }

    private static RankBuffers allocate(RankSession session, CheckedCall shape, LongFunction<DeviceBuffer> memory) {
        try {
            return RankBuffers.allocate(memory, session.rank(), shape);
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    /** Returns the name of the algorithm, for example of the plan. */
    public String algorithm() {
        return operation.algorithm();
    }

    /** Prepares a batch of launches. Close the batch before this call. */
    public Batch batch(LaunchMethod method, int launches) {
        session.beginOperations("capture", 1);
        try {
            return method.batch(operation, launches);
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    /** Fills the buffers, launches once, and compares the result with the definition of the collective. */
    public LaunchFindings check(long seed) {
        return check(seed, new EagerBatch(operation, 1));
    }

    /** Like {@link #check(long)}, with a given batch of one launch. */
    public LaunchFindings check(long seed, Batch once) {
        session.beginWork("fill");
        try {
            InputData inputs = new InputData(shape, seed);
            RankMemory memory = buffers.memory();
            memory.fill(shape, inputs, session.rank());
            buffers.upload();
            session.beginOperations("launch", 1);
            session.delay().beforeLaunch(session.rank());
            once.run(session.timeout());
            session.beginWork("check");
            buffers.download();
            LaunchFindings verdict = verify(inputs, memory);
            buffers.forget();
            return verdict;
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    private LaunchFindings verify(InputData inputs, RankMemory memory) {
        RankVerifier verifier = new RankVerifier(shape, inputs, memory, session.rank());
        Definition definition = Definition.of(shape, session.allGather(verifier.scores()));
        byte[] findings = FindingsMessage.encode(verifier.verify(definition));
        LaunchFindings verdict = new LaunchFindings(
                session.allGather(findings).stream()
                        .map(FindingsMessage::decode)
                        .toList(),
                shape.outputCount(),
                false);
        // Evaluated only now, since it may take long.
        return verdict.bitsDiffer() && shape.sources().bitsMayDiffer()
                ? new LaunchFindings(verdict.ranks(), verdict.elements(), true)
                : verdict;
    }

    /**
     * Writes zeros to all buffers before timed launches. In place, each launch reduces the results of the previous one,
     * and other values would soon overflow to infinity or NaN, which are slower.
     */
    public void fillWithZeros() {
        session.beginWork("fill");
        try {
            buffers.fillWithZeros();
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    /**
     * Launches without timing until launches get no faster.
     *
     * @return the least mean time of a launch, in nanoseconds
     */
    public double warmUp(WarmUpLength warmUp) {
        long end = System.nanoTime() + warmUp.most().toNanos();
        double best = Double.MAX_VALUE;
        int noFaster = 0;
        int launches = 1;
        // The clock of the slowest rank counts, so that all ranks launch equally often.
        boolean over = false;
        while (!over && noFaster < warmUp.unimproved()) {
            double nanos = time(1, launches)[0];
            double mean = nanos / launches;
            boolean counts = nanos >= warmUp.batch().toNanos();
            if (counts) {
                noFaster = mean > NO_FASTER * best ? noFaster + 1 : 0;
            } else {
                launches *= 2;
            }
            best = Math.min(best, mean);
            over = session.max(System.nanoTime() >= end ? 1 : 0)[0] == 1;
        }
        return best;
    }

    /** Launches a given number of times without timing. */
    public void warmUp(int launches) {
        session.beginOperations("warm up", launches);
        run(new EagerBatch(operation, launches));
    }

    /** {@link #time(int, Batch)} of consecutive launches from the calling thread. */
    public double[] time(int batches, int launches) {
        return time(batches, new EagerBatch(operation, launches));
    }

    /** Times a batch several times, each time once. */
    public double[] time(int batches, Batch batch) {
        return time(batches, batch, SampleSize.ONE);
    }

    /**
     * Takes samples. Each one starts with a barrier, and the slowest rank's time counts.
     *
     * @return for each sample, the nanoseconds of all its timed launches
     */
    public double[] time(int samples, Batch batch, SampleSize size) {
        session.beginOperations("timed launches", operations(samples, size.runs(), batch.launches()));
        long[] nanos = new long[samples];
        for (int i = 0; i < samples; i++) {
            meet();
            nanos[i] = time(batch, size);
        }
        return Arrays.stream(session.max(nanos)).asDoubleStream().toArray();
    }

    /** Each sample begins with a barrier. */
    static long operations(int samples, int runs, int launches) {
        return samples * ((long) runs * launches + 1);
    }

    /** Takes samples without using their times, until a time has passed on every rank. */
    public void warmUp(Duration time, Batch batch, SampleSize size) {
        long end = System.nanoTime() + time.toNanos();
        boolean over = false;
        while (!over) {
            time(1, batch, size);
            // Every rank launches equally often.
            over = session.max(System.nanoTime() < end ? 1 : 0)[0] == 0;
        }
    }

    private void meet() {
        try {
            session.communicator().barrier();
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    private void run(Batch batch) {
        try {
            batch.run(session.timeout());
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    private long time(Batch batch, SampleSize size) {
        try {
            return batch.time(size, session.timeout());
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    /** Frees the operation and the buffers. Waits for launches in flight. */
    @Override
    public void close() {
        try (buffers;
                operation) {
            session.beginClose();
        }
    }
}

package org.mscclj.cli.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.InputData;
import org.mscclj.cli.check.RankMemory;
import org.mscclj.cli.check.Verdict;
import org.mscclj.cli.check.Verifier;

/** A call that is ready to be launched, with its buffers, on all ranks. */
final class PreparedCall implements AutoCloseable {
    private static final long LEAST_BATCH_NANOS = 200_000_000;
    /** Batches in a row that are no faster, before the code counts as warm: one may be slow because others use the machine. */
    private static final int PATIENCE = 8;

    private static final double NO_FASTER = 0.9;

    private final PlanSession session;
    private final CallShape shape;
    private final AtomicReferenceArray<RankBuffers> buffers;
    private final AtomicReferenceArray<PreparedOperation> operations;

    PreparedCall(PlanSession session, CallShape shape) {
        this.session = session;
        this.shape = shape;
        this.buffers = new AtomicReferenceArray<>(session.ranks());
        this.operations = new AtomicReferenceArray<>(session.ranks());
    }

    void prepare() {
        session.onAllRanks("prepare", 8, communicator -> {
            int rank = communicator.rank();
            RankBuffers own = RankBuffers.allocate(communicator, shape);
            buffers.set(rank, own);
            operations.set(
                    rank,
                    communicator.prepare(new PlanCall(
                            shape.plan(), own.input(), own.output(), shape.type(), shape.op(), shape.packetType())));
        });
    }

    /** Fills the buffers, launches once, and compares the result with the definition of the collective. */
    Verdict check(long seed) {
        InputData inputs = new InputData(shape, seed);
        List<RankMemory> memory = new ArrayList<>();
        for (int rank = 0; rank < session.ranks(); rank++) {
            memory.add(buffers.get(rank).memory());
        }
        IntStream.range(0, session.ranks())
                .parallel()
                .forEach(rank -> memory.get(rank).fill(shape, inputs, rank));
        session.onAllRanks("launch", 1, communicator -> {
            session.delay().beforeLaunch(communicator.rank());
            operations.get(communicator.rank()).run(session.timeout());
        });
        return new Verifier(shape, inputs, memory).verify();
    }

    /**
     * Writes zeros to all buffers, for launches that are timed: in place each launch reduces the results of the one before, and what
     * is not zero soon overflows; infinities and NaN are slower.
     */
    void fillWithZeros() {
        for (int rank = 0; rank < session.ranks(); rank++) {
            buffers.get(rank).input().segment().fill((byte) 0);
            buffers.get(rank).output().segment().fill((byte) 0);
        }
    }

    /**
     * Launches without timing until launches get no faster, since the VM compiles what runs while it runs.
     *
     * @param most nanoseconds after which it ends anyway
     */
    void warmUp(long most) {
        long end = System.nanoTime() + most;
        double best = Double.MAX_VALUE;
        int noFaster = 0;
        // All ranks must launch equally often, so nobody looks at the clock while a batch runs.
        for (int launches = 1; System.nanoTime() < end; ) {
            long nanos = launchInARow(launches);
            if (nanos < LEAST_BATCH_NANOS) {
                launches *= 2; // too short to tell
                continue;
            }
            double mean = (double) nanos / launches;
            noFaster = mean > NO_FASTER * best ? noFaster + 1 : 0;
            if (noFaster == PATIENCE) {
                return;
            }
            best = Math.min(best, mean);
        }
    }

    /**
     * Mean time of a launch: all ranks meet, launch back to back, and each takes the time of all its launches; the slowest
     * rank's counts.
     *
     * @return nanoseconds
     */
    double time(int iterations) {
        return (double) launchInARow(iterations) / iterations;
    }

    /** Nanoseconds that the slowest rank took. */
    private long launchInARow(int launches) {
        long[] nanos = new long[session.ranks()];
        session.onAllRanks("timed launches", launches + 1, communicator -> {
            PreparedOperation operation = operations.get(communicator.rank());
            communicator.barrier();
            long start = System.nanoTime();
            for (int i = 0; i < launches; i++) {
                operation.run(session.timeout());
            }
            nanos[communicator.rank()] = System.nanoTime() - start;
        });
        return Arrays.stream(nanos).max().orElse(0);
    }

    private void free() {
        for (int rank = 0; rank < session.ranks(); rank++) {
            Optional.ofNullable(operations.get(rank)).ifPresent(PreparedOperation::close);
        }
        for (int rank = 0; rank < session.ranks(); rank++) {
            Optional.ofNullable(buffers.get(rank)).ifPresent(RankBuffers::close);
        }
    }

    /** Frees what a failure left behind, which must not hide the failure. */
    void abandon(Throwable failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        session.free("free", this::free);
    }
}

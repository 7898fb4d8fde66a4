package org.mscclj.cli.run;

import java.util.ArrayList;
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
     * Mean time of a launch: all ranks meet, launch back to back, and each takes the time of all its launches; the slowest
     * rank's counts.
     *
     * @return nanoseconds
     */
    double time(int iterations) {
        int warmUp = Math.max(1, iterations / 4);
        long[] nanos = new long[session.ranks()];
        session.onAllRanks("timed launches", warmUp + iterations + 1, communicator -> {
            PreparedOperation operation = operations.get(communicator.rank());
            for (int i = 0; i < warmUp; i++) {
                operation.run(session.timeout());
            }
            communicator.barrier();
            long start = System.nanoTime();
            for (int i = 0; i < iterations; i++) {
                operation.run(session.timeout());
            }
            nanos[communicator.rank()] = System.nanoTime() - start;
        });
        long slowest = 0;
        for (long rank : nanos) {
            slowest = Math.max(slowest, rank);
        }
        return (double) slowest / iterations;
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

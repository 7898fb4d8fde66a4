package org.mscclj.cli.perf.peer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/** A library of one collective, allgather out of place, for ranks that are threads on the host backend. */
public final class ThreadLibrary implements FallbackProvider {
    /** Of all ranks, in order: opened, allocated, closed. */
    public final List<String> log = new ArrayList<>();

    private final String backend;
    private CyclicBarrier barrier = new CyclicBarrier(1);
    private MemorySegment[] inputs = {};

    /** A library that works on devices of a backend. */
    public ThreadLibrary(String backend) {
        this.backend = backend;
    }

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public String description() {
        return "a library of tests";
    }

    @Override
    public Availability probe() {
        return Availability.available();
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(Set.of(DataType.INT8), Set.of(), 2, Set.of());
    }

    @Override
    public boolean supports(BackendDevice device) {
        return device.backend().equals(backend);
    }

    @Override
    public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace, int ranks) {
        return collective == Collective.ALLGATHER && !inPlace
                ? Optional.empty()
                : Optional.of("only allgather, out of place");
    }

    @Override
    public byte[] createId() {
        return new byte[] {42};
    }

    @Override
    public FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size) {
        synchronized (this) {
            log.add("opened with " + id[0]);
            if (inputs.length == 0) {
                inputs = new MemorySegment[size];
                barrier = new CyclicBarrier(size);
            }
        }
        return new Rank(rank);
    }

    private synchronized void tell(String what) {
        log.add(what);
    }

    private final class Rank implements FallbackCommunicator {
        private final int rank;

        Rank(int rank) {
            this.rank = rank;
        }

        @Override
        public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace) {
            return ThreadLibrary.this.refusal(collective, type, op, inPlace, 2);
        }

        @Override
        public void enqueue(
                Collective collective,
                DeviceBuffer input,
                DeviceBuffer output,
                DataType type,
                ReduceOp op,
                int root,
                Stream stream) {
            inputs[rank] = input.segment();
            meet();
            long bytes = input.byteSize();
            for (int peer = 0; peer < inputs.length; peer++) {
                output.slice(peer * bytes, bytes).segment().copyFrom(inputs[peer]);
            }
            meet();
        }

        private void meet() {
            try {
                barrier.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public DeviceBuffer allocate(long bytes, boolean symmetric) {
            tell("asked for " + (symmetric ? "symmetric" : "registered") + " memory");
            throw new UnsupportedException("no memory of its own");
        }

        @Override
        public void abort() {
            tell("aborted");
            barrier.reset();
        }

        @Override
        public void close() {
            tell("closed");
        }
    }
}

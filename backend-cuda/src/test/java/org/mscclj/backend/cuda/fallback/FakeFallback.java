package org.mscclj.backend.cuda.fallback;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/**
 * A library whose collectives copy the input to the output, where both have one size. Installed for VMs with the
 * property {@code test.fallback}: {@code usable}, or the reason why it is not.
 */
public final class FakeFallback implements FallbackProvider {
    static final String PROPERTY = "test.fallback";

    /** What the library was asked for, by all ranks. */
    static final List<String> CALLS = new CopyOnWriteArrayList<>();

    /** What blocks until {@link #release}: {@code open} or {@code enqueue}; nothing without it. */
    static final String BLOCKED = "test.fallback.blocks";

    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    private static volatile Optional<MsccljException> failure = Optional.empty();

    /** Called by the service loader. */
    public FakeFallback() {}

    /** From now on the library has failed. */
    static void fail() {
        failure = Optional.of(new BackendException("an unhandled error", 3, "fakeInternalError"));
    }

    /** Calls that block go on, and later ones do not block. */
    static void release() {
        RELEASED.countDown();
    }

    private static void block(String what) {
        if (what.equals(System.getProperty(BLOCKED))) {
            try {
                RELEASED.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("a thread of the library was interrupted", e);
            }
        }
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public String description() {
        return "a library that copies";
    }

    @Override
    public Availability probe() {
        String state = System.getProperty(PROPERTY, "not asked for");
        return state.equals("usable") ? Availability.available() : Availability.unavailable(state);
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(Set.of(DataType.values()), Set.of(ReduceOp.Kind.SUM), Integer.MAX_VALUE, Set.of());
    }

    @Override
    public boolean supports(BackendDevice device) {
        return System.getProperty(PROPERTY) != null && device.backend().equals("cuda");
    }

    @Override
    public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace, int ranks) {
        return type == DataType.INT8 ? Optional.of("it has no bytes; use float32") : Optional.empty();
    }

    @Override
    public byte[] createId() {
        CALLS.add("createId");
        return "the id".getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size) {
        throw new IllegalStateException("opened without a limit");
    }

    @Override
    public FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size, Duration limit) {
        CALLS.add("open " + new String(id, StandardCharsets.UTF_8) + " " + rank + " of " + size);
        if (Boolean.getBoolean("test.fallback.does.not.open") && rank == 1) {
            throw new BackendException("no socket", 2, "fakeSystemError");
        }
        if (limit.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("opened with a limit of " + limit);
        }
        block("open");
        return new Rank(rank);
    }

    /** A rank's communicator. */
    private record Rank(int rank) implements FallbackCommunicator {
        @Override
        public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace) {
            return Optional.empty();
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
            if (Boolean.getBoolean("test.fallback.does.not.call") && rank == 1) {
                throw new BackendException("no buffers", 3, "fakeInternalError");
            }
            CALLS.add(collective + " " + input.byteSize() + " by " + rank);
            block("enqueue");
            if (!input.equals(output)) {
                stream.copy(input, output);
            }
        }

        @Override
        public Optional<MsccljException> failure() {
            return failure;
        }

        @Override
        public void abort() {
            CALLS.add("abort " + rank);
        }

        @Override
        public void close() {
            CALLS.add("close " + rank);
        }
    }
}

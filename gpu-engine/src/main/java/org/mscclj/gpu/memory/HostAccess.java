package org.mscclj.gpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.posix.NativeMemory;

/**
 * The host's access to device memory: copies in a stream of its own, of high priority, through pinned memory. Works
 * while kernels run, and never blocks in the driver. Breaks no capture of other software. Safe for use by several
 * threads; calls are serialised.
 *
 * <p>Buffers may outlive the owner that closes this. After that it still works, and holds no resources between two
 * calls.
 */
final class HostAccess implements AutoCloseable {
    private final DeviceContext context;
    private final long stagingBytes;
    private @Nullable PrivateStream stream;
    private @Nullable PinnedPiece staging;
    private boolean closed;

    /**
     * Creates an access whose copies are split into parts of at most this many bytes, which is 8 at least. Holds
     * nothing until it is used.
     */
    HostAccess(DeviceContext context, long stagingBytes) {
        this.context = context;
        this.stagingBytes = stagingBytes;
    }

    /** Sets memory to 0. */
    synchronized void zero(long address, long bytes) {
        run(() -> {
            PrivateStream ready = ready();
            context.driver()
                    .check(
                            context.driver().copies().zero(address, bytes, ready.handle()),
                            "clearing " + bytes + " bytes");
            ready.await();
        });
    }

    /** Copies a segment to device memory of equal size. */
    synchronized void write(long address, MemorySegment source) {
        run(() -> {
            PrivateStream ready = ready();
            MemorySegment part = staged();
            for (long done = 0; done < source.byteSize(); done += stagingBytes) {
                long bytes = Math.min(stagingBytes, source.byteSize() - done);
                MemorySegment.copy(source, done, part, 0, bytes);
                context.driver()
                        .check(
                                context.driver()
                                        .copies()
                                        .fromHost(address + done, part.address(), bytes, ready.handle()),
                                "a copy from the host");
                ready.await();
            }
        });
    }

    /** Copies device memory to a segment of equal size. */
    synchronized void read(long address, MemorySegment destination) {
        run(() -> {
            PrivateStream ready = ready();
            MemorySegment part = staged();
            for (long done = 0; done < destination.byteSize(); done += stagingBytes) {
                long bytes = Math.min(stagingBytes, destination.byteSize() - done);
                context.driver()
                        .check(
                                context.driver().copies().toHost(part.address(), address + done, bytes, ready.handle()),
                                "a copy to the host");
                ready.await();
                MemorySegment.copy(part, 0, destination, done, bytes);
            }
        });
    }

    /** Reads the 64-bit value at an address, with acquire semantics. */
    synchronized long readLong(long address) {
        return get(() -> {
            PrivateStream ready = ready();
            long part = staged().address();
            context.driver()
                    .check(
                            context.driver().copies().toHost(part, address, Long.BYTES, ready.handle()),
                            "reading a counter");
            ready.await();
            return NativeMemory.getLongAcquire(part);
        });
    }

    /** Adds one to the 64-bit value at an address. The caller is its only writer. */
    synchronized void increment(long address) {
        long value = readLong(address) + 1;
        run(() -> {
            PrivateStream ready = ready();
            long part = staged().address();
            NativeMemory.setLongRelease(part, value);
            context.driver()
                    .check(
                            context.driver().copies().fromHost(address, part, Long.BYTES, ready.handle()),
                            "writing a counter");
            ready.await();
        });
    }

    private void run(Runnable work) {
        long _ = get(() -> {
            work.run();
            return 0;
        });
    }

    /** Runs work in the GPU's context, on a platform thread. */
    private long get(LongSupplier work) {
        return context.within(() -> {
            try {
                return work.getAsLong();
            } finally {
                if (closed && isIdle()) {
                    free();
                }
            }
        });
    }

    /** Returns the stream once it is idle: an earlier caller may have been interrupted during its wait. */
    private PrivateStream ready() {
        PrivateStream ready = stream;
        if (ready == null) {
            ready = PrivateStream.create(context);
            stream = ready;
        }
        ready.await();
        return ready;
    }

    private MemorySegment staged() {
        PinnedPiece piece = staging;
        if (piece == null) {
            piece = PinnedPiece.allocate(context, stagingBytes);
            staging = piece;
        }
        return piece.memory();
    }

    /**
     * Whether no copy is in flight. One may be, if a caller was interrupted during its wait; the next copy waits for
     * it.
     */
    private boolean isIdle() {
        PrivateStream used = stream;
        return used == null || used.isIdle();
    }

    /** Frees the resources. Called in the GPU's context. */
    private void free() {
        PrivateStream used = stream;
        PinnedPiece piece = staging;
        stream = null;
        staging = null;
        try {
            Optional.ofNullable(used).ifPresent(PrivateStream::destroy);
        } finally {
            Optional.ofNullable(piece).ifPresent(PinnedPiece::free);
        }
    }

    /** Frees the resources. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        context.run(this::free);
    }
}

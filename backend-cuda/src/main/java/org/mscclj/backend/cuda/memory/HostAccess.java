package org.mscclj.backend.cuda.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.Copies;
import org.mscclj.backend.cuda.ffm.NativeMemory;

/**
 * How the host reads and writes device memory: by copies in a stream of its own, of high priority, through pinned memory. Works while kernels run, and never
 * blocks in the driver. Safe for use by several threads, one at a time.
 */
final class HostAccess implements AutoCloseable {
    private final DeviceContext context;
    private final long stagingBytes;
    private @Nullable PrivateStream stream;
    private @Nullable PinnedPiece staging;

    /** Access whose copies go in parts of so many bytes, 8 at least. Holds nothing until it is used. */
    HostAccess(DeviceContext context, long stagingBytes) {
        this.context = context;
        this.stagingBytes = stagingBytes;
    }

    /** Sets memory to 0. */
    synchronized void zero(long address, long bytes) {
        context.run(() -> {
            PrivateStream ready = ready();
            DriverResult.check(Copies.zero(address, bytes, ready.handle()), "cuMemsetD8Async of " + bytes + " bytes");
            ready.await();
        });
    }

    /** Fills memory of the same size. */
    synchronized void write(long address, MemorySegment source) {
        context.run(() -> {
            PrivateStream ready = ready();
            MemorySegment part = staged();
            for (long done = 0; done < source.byteSize(); done += stagingBytes) {
                long bytes = Math.min(stagingBytes, source.byteSize() - done);
                MemorySegment.copy(source, done, part, 0, bytes);
                DriverResult.check(
                        Copies.fromHost(address + done, part.address(), bytes, ready.handle()), "cuMemcpyHtoDAsync");
                ready.await();
            }
        });
    }

    /** Reads memory of the same size. */
    synchronized void read(long address, MemorySegment destination) {
        context.run(() -> {
            PrivateStream ready = ready();
            MemorySegment part = staged();
            for (long done = 0; done < destination.byteSize(); done += stagingBytes) {
                long bytes = Math.min(stagingBytes, destination.byteSize() - done);
                DriverResult.check(
                        Copies.toHost(part.address(), address + done, bytes, ready.handle()), "cuMemcpyDtoHAsync");
                ready.await();
                MemorySegment.copy(part, 0, destination, done, bytes);
            }
        });
    }

    /** The 64-bit value at an address; acquires. */
    synchronized long readLong(long address) {
        return context.within(() -> {
            PrivateStream ready = ready();
            long part = staged().address();
            DriverResult.check(
                    Copies.toHost(part, address, Long.BYTES, ready.handle()), "cuMemcpyDtoHAsync of a counter");
            ready.await();
            return NativeMemory.getLongAcquire(part);
        });
    }

    /** Adds one to the 64-bit value at an address, which nobody else changes. */
    synchronized void increment(long address) {
        long value = readLong(address) + 1;
        context.run(() -> {
            PrivateStream ready = ready();
            long part = staged().address();
            NativeMemory.setLongRelease(part, value);
            DriverResult.check(
                    Copies.fromHost(address, part, Long.BYTES, ready.handle()), "cuMemcpyHtoDAsync of a counter");
            ready.await();
        });
    }

    /** The stream, idle: somebody may have been interrupted while he waited for it. */
    private PrivateStream ready() {
        PrivateStream ready = stream;
        if (ready == null) {
            ready = PrivateStream.create();
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

    /** Frees what it holds. Idempotent. */
    @Override
    public synchronized void close() {
        context.run(() -> Optional.ofNullable(stream).ifPresent(PrivateStream::destroy));
        stream = null;
        Optional.ofNullable(staging).ifPresent(PinnedPiece::free);
        staging = null;
    }
}

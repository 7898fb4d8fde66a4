package org.mscclj.gpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.PointerAttribute;

/** Memory of other software, which frees it after the last use. */
final class ForeignPiece implements Piece {
    private final DeviceContext context;
    private final long address;
    private final long bytes;
    private final Runnable release;
    private @Nullable PeerVisible visible;

    private ForeignPiece(DeviceContext context, long address, long bytes, Runnable release) {
        this.context = context.share();
        this.address = address;
        this.bytes = bytes;
        this.release = release;
    }

    /**
     * Creates a piece of memory, which must be on the context's GPU.
     *
     * @param release notifies the owner that the memory may be freed; called once
     * @throws InvalidArgumentException if the driver does not know the memory as memory of this GPU
     */
    static ForeignPiece of(DeviceContext context, long address, long bytes, Runnable release) {
        context.run(() -> check(context, address, bytes));
        return new ForeignPiece(context, address, bytes, release);
    }

    private static void check(DeviceContext context, long address, long bytes) {
        ForeignAddress known = new ForeignAddress(context, address);
        String range = bytes + " bytes at 0x" + Long.toHexString(address);
        String allowed = "memory of GPU " + context.ordinal() + ", inside one allocation";
        if (bytes < 0 || address == 0 || known.get(PointerAttribute.MEMORY_TYPE) != PointerAttribute.ON_DEVICE) {
            throw InvalidArgumentException.of("foreign memory", range + ", which is not device memory", allowed);
        }
        long ordinal = known.get(PointerAttribute.DEVICE_ORDINAL);
        if (ordinal != context.ordinal()) {
            throw InvalidArgumentException.of("foreign memory", range + ", which is on GPU " + ordinal, allowed);
        }
        long start = known.get(PointerAttribute.RANGE_START);
        long size = known.get(PointerAttribute.RANGE_SIZE);
        if (size > 0 && (address - start) > size - bytes) {
            throw InvalidArgumentException.of(
                    "foreign memory",
                    range + ", which goes beyond its allocation of " + size + " bytes at 0x" + Long.toHexString(start),
                    allowed);
        }
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public Optional<MemorySegment> segment() {
        return Optional.empty();
    }

    /** Determined at the first call: most such memory is never shared. */
    @Override
    public synchronized PeerVisible visible(boolean processes) {
        PeerVisible known = visible;
        if (known == null) {
            known = context.within(() -> new ForeignRange(context, address, bytes).visible(processes));
            visible = known;
        }
        return known;
    }

    @Override
    public void free() {
        try (context) {
            close();
        } finally {
            release.run();
        }
    }

    private synchronized void close() {
        if (visible instanceof DevicePiece piece) {
            piece.free();
        }
    }
}

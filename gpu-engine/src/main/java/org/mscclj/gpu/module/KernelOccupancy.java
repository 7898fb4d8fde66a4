package org.mscclj.gpu.module;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.occupancy.OccupancyReservation;
import org.mscclj.gpu.stream.GpuStream;

/**
 * The capacity that a user's kernel, which may wait, has reserved on its GPU. For each stream it is the capacity of the
 * largest launch on it: launches on one stream run one after the other, and launches on several streams may wait for
 * each other. Safe for use by several threads.
 */
final class KernelOccupancy implements AutoCloseable {
    /**
     * The shape of launches.
     *
     * @param threads threads per block
     * @param sharedBytes dynamic shared memory of a block
     * @param perMultiprocessor the number of such blocks that a multiprocessor holds
     */
    private record Shape(int threads, int sharedBytes, int perMultiprocessor) {}

    /**
     * The reservation for a stream. It lasts until every {@link GpuStream} of it that had a launch is closed: a stream
     * of other software may be adopted several times.
     */
    private static final class Share {
        final long handle;
        final Event event;
        final List<Use> uses = new ArrayList<>();
        int blocks;
        int perMultiprocessor = Integer.MAX_VALUE;

        /** Whether the event is recorded after every launch, except captured ones. */
        boolean eventIsLast = true;

        Share(GpuStream stream) {
            this.handle = stream.handle();
            this.event = stream.device().createEvent();
        }
    }

    /** A stream object with launches, and its callbacks. */
    private record Use(GpuStream stream, Runnable whenClosed, Runnable whenCaptured) {
        void forget() {
            stream.forget(whenClosed);
            stream.forget(whenCaptured);
        }
    }

    private final Kernel kernel;
    private final int gpu;
    private final OccupancyReservation residency;
    private final List<Shape> shapes = new ArrayList<>();
    private final List<Share> shares = new ArrayList<>();

    /**
     * Creates an instance without reservations.
     *
     * @param gpu its number, for messages
     */
    KernelOccupancy(Kernel kernel, int gpu, OccupancyReservation residency) {
        this.kernel = kernel;
        this.gpu = gpu;
        this.residency = residency;
    }

    /**
     * Ensures that the capacity for a launch is reserved. Allocates nothing if an earlier launch on the stream was not
     * smaller and an earlier launch had this shape.
     *
     * @param captured whether the launch is captured, and so begins when its graph is replayed
     * @throws InvalidArgumentException if a multiprocessor cannot hold a block of that shape
     * @throws UnsupportedException if there is no capacity; nothing has changed then
     */
    synchronized void reserve(GpuStream stream, int blocks, int threads, int sharedBytes, boolean captured) {
        Shape shape = shape(threads, sharedBytes);
        Share share = share(stream);
        if (blocks > share.blocks || shape.perMultiprocessor < share.perMultiprocessor) {
            try {
                reserve(share, shape, blocks);
            } catch (RuntimeException e) {
                if (share.uses.isEmpty()) {
                    share.event.close();
                }
                throw e;
            }
        }
        use(share, stream);
        share.eventIsLast &= captured;
    }

    private void reserve(Share share, Shape shape, int blocks) {
        if (shape.perMultiprocessor == 0) {
            throw InvalidArgumentException.of(
                    "shape of kernel " + kernel.name(),
                    shape.threads + " threads and " + shape.sharedBytes + " bytes of dynamic shared memory",
                    "blocks that fit into a multiprocessor of GPU " + gpu + ": fewer threads, or less memory");
        }
        if (!residency.reserve(OccupancyReservation.Owner.KERNEL, share, blocks, shape.perMultiprocessor)) {
            throw new UnsupportedException("kernel " + kernel.name() + ": no capacity for its " + blocks + " blocks of "
                    + shape.threads + " threads and " + shape.sharedBytes
                    + " bytes of dynamic shared memory on GPU " + gpu
                    + ", of which a multiprocessor holds " + shape.perMultiprocessor + ": " + residency
                    + ", and all that may wait must run at once, or they wait for ever; launch fewer blocks, or close"
                    + " communicators, kernels or streams");
        }
        share.blocks = Math.max(share.blocks, blocks);
        share.perMultiprocessor = Math.min(share.perMultiprocessor, shape.perMultiprocessor);
    }

    /**
     * Prepares for a replay of a graph with launches on a stream. Allocates nothing if the stream had a launch or a
     * replay before.
     */
    synchronized void prepareReplay(GpuStream stream) {
        use(share(stream), stream);
    }

    /** Records that the replay was enqueued. Allocates nothing. */
    synchronized void replayed(GpuStream stream) {
        share(stream).eventIsLast = false;
    }

    private Shape shape(int threads, int sharedBytes) {
        for (int i = 0; i < shapes.size(); i++) {
            Shape known = shapes.get(i);
            if (known.threads == threads && known.sharedBytes == sharedBytes) {
                return known;
            }
        }
        Shape shape = new Shape(threads, sharedBytes, kernel.blocksPerMultiprocessor(threads, sharedBytes));
        shapes.add(shape);
        return shape;
    }

    private Share share(GpuStream stream) {
        for (int i = 0; i < shares.size(); i++) {
            Share known = shares.get(i);
            if (known.handle == stream.handle()) {
                return known;
            }
        }
        return new Share(stream);
    }

    @SuppressWarnings("ReferenceEquality") // the object, since another may have adopted its handle
    private void use(Share share, GpuStream stream) {
        for (int i = 0; i < share.uses.size(); i++) {
            if (share.uses.get(i).stream == stream) {
                return;
            }
        }
        if (share.uses.isEmpty()) {
            shares.add(share);
        }
        Use use = new Use(stream, () -> closed(share, stream), () -> isCaptured(share, stream));
        share.uses.add(use);
        stream.beforeClosing(use.whenClosed);
        stream.beforeCapturing(use.whenCaptured);
    }

    /**
     * Records the event before a capture begins: during the capture, the stream cannot be queried. Captures by other
     * software do not call this.
     */
    private synchronized void isCaptured(Share share, GpuStream stream) {
        if (shares.contains(share)) {
            share.eventIsLast = share.eventIsLast || stream.recordUnlessCapturing(share.event);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized void closed(Share share, GpuStream stream) {
        share.uses.removeIf(use -> use.stream == stream);
        if (share.uses.isEmpty()) {
            shares.remove(share);
            release(share);
        }
    }

    private void release(Share share) {
        residency.release(share);
        share.event.close();
    }

    /**
     * Whether all launches are known to have ended, including replays. While other software captures a stream, the
     * stream cannot be queried.
     */
    synchronized boolean isQuiet() {
        for (Share share : shares) {
            share.eventIsLast =
                    share.eventIsLast || share.uses.getFirst().stream.recordUnlessCapturing(share.event);
            if (!share.eventIsLast || !share.event.isReached()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public synchronized void close() {
        for (Share share : shares) {
            share.uses.forEach(Use::forget);
            residency.release(share);
        }
        shares.forEach(share -> share.event.close()); // last: this may fail, and then the GPU is of no use
        shares.clear();
    }
}

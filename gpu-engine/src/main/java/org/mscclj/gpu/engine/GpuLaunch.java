package org.mscclj.gpu.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.device.kernels.transfer.TransferTable;
import org.mscclj.gpu.queue.DeferredRelease;
import org.mscclj.gpu.queue.HostWords;
import org.mscclj.gpu.queue.LaunchQueue;
import org.mscclj.gpu.queue.ReplayWords;
import org.mscclj.gpu.stream.CaptureInfo;
import org.mscclj.gpu.stream.CapturedLaunches;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.gpu.stream.GraphPins;
import org.mscclj.spi.engine.ForeignWork;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.engine.ReplayListener;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.TransferSpec;
import org.mscclj.spi.waiting.Backoff;

/**
 * A prepared launch.
 *
 * <p>The blocks of the last kernel write the launch's number into words of the host's memory, or the stream does.
 * Captured launches do not write it, because the host does not count how often a graph runs. Instead this class tracks
 * whether a graph that holds a launch is alive.
 */
final class GpuLaunch implements PreparedLaunch {
    /** The number of reads of the words after which a waiting thread asks the driver whether something has failed. */
    private static final int LOOKS_BETWEEN_QUERIES = 1 << 10;

    /** Created at a thread's first wait, and used for all launches that the thread waits for. */
    private static final ThreadLocal<Backoff> BACKOFF = ThreadLocal.withInitial(Backoff::forDevices);

    /**
     * What a launch moves between ranks.
     *
     * @param ofAllRanks whether it counts as a launch of all ranks
     * @param pending returns what has not ended, if some blocks have ended
     */
    private record Moves(boolean ofAllRanks, Function<IntPredicate, List<PendingTransfer>> pending) {}

    private final LaunchOwner context;
    private final GraphPins graphs = new GraphPins();
    private final LaunchBody body;

    /** The transfers of the launch; empty for plans. */
    private final Optional<Moves> transfers;

    private final int endWords;
    private final HostWords.Words finished;

    /** Taken when point-to-point transfers are first captured. */
    private volatile @Nullable ReplayWords replayed;

    private ReplayListener replayListener = ReplayListener.NONE;
    private @Nullable GpuStream lastStream;
    private volatile long lastTicket;
    private volatile long enqueued;
    /** The number of launches that had ended when this was closed and the pool took its words back. */
    private volatile long endedUpTo;

    private boolean refusing;
    private boolean closed;

    private GpuLaunch(LaunchOwner context, LaunchBody body, Optional<Moves> transfers) {
        this.context = context;
        this.body = body;
        this.transfers = transfers;
        this.endWords = body.endWords();
        this.finished = context.engine().words().take(endWords);
    }

    private static GpuLaunch of(LaunchOwner context, LaunchBody body, Optional<Moves> transfers) {
        try {
            return new GpuLaunch(context, body, transfers);
        } catch (RuntimeException | Error e) {
            body.close();
            throw e;
        }
    }

    /** Creates a launch of a plan on given buffers. */
    static GpuLaunch ofPlan(GpuPlanContext context, LaunchSpec spec) {
        return of(context, LaunchKernels.ofPlan(context, spec), Optional.empty());
    }

    /** Creates a launch of another library's work. */
    static GpuLaunch ofForeign(LaunchOwner context, ForeignWork work) {
        return of(context, new ForeignBody(context.engine().context(), work), Optional.empty());
    }

    /** Creates a launch of a batch of point-to-point transfers. */
    static GpuLaunch ofTransfers(GpuPlanContext context, TransferSpec spec) {
        TransferTable table =
                TransferTable.of(context.spec(), spec, context.layout(), context.state(), context.tracing());
        return of(
                context,
                LaunchKernels.ofTransfers(context, table),
                Optional.of(new Moves(spec.ofAllRanks(), spec::pending)));
    }

    /** Creates a launch of an access to the memory of another node. */
    static GpuLaunch ofAccess(GpuPlanContext context, RemoteAccess access) {
        TransferTable table =
                TransferTable.of(context.spec(), access, context.layout(), context.state(), context.tracing());
        return of(
                context,
                LaunchKernels.ofTransfers(context, table),
                Optional.of(new Moves(
                        false, hasEnded -> hasEnded.test(0) ? List.of() : List.of(PendingTransfer.of(access, 0)))));
    }

    /**
     * The transfers and signals whose blocks have not ended in the first launch that has not ended. The progress within
     * a block is known only on the device.
     */
    @Override
    public List<PendingTransfer> pending() {
        long made = enqueued;
        if (made <= endedUpTo) {
            return List.of();
        }
        long ended = made;
        for (int word = 0; word < endWords; word++) {
            ended = Math.min(ended, finished.getAcquire(word));
        }
        long current = ended + 1;
        return transfers
                .filter(_ -> current <= made)
                .map(moves -> moves.pending().apply(block -> finished.getAcquire(block) >= current))
                .orElseGet(List::of);
    }

    @Override
    public long enqueue(Stream stream, boolean callerJoins) {
        GpuStream own = GpuStream.of(stream, context.engine().context());
        boolean capturing = own.isCapturing();
        LaunchQueue queue = context.queue();
        if (!capturing) {
            queue.awaitCapacity(body.count());
        }
        queue.lock().lock();
        try {
            if (refusing) {
                throw new InvalidArgumentException("this operation is closed; prepare another one");
            }
            return capturing ? capture(own) : launch(own);
        } finally {
            queue.lock().unlock();
        }
    }

    private boolean isOfAllRanks() {
        return transfers.map(Moves::ofAllRanks).orElse(true);
    }

    /** Takes a ticket only when the launch is enqueued: ranks count each other's launches. */
    private long launch(GpuStream stream) {
        LaunchQueue queue = context.queue();
        queue.orderNext(stream);
        long number = enqueued + 1;
        if (body.isEmpty() && followsEnded()) {
            endedUpTo = enqueued;
        }
        try {
            body.launch(stream, finished.address(), number);
        } catch (RuntimeException | Error e) {
            if (body.hasBegun()) { // some of its kernels are at work, and the next launch must follow them
                long _ = queue.begin(stream, isOfAllRanks(), body.count());
            } else if (body.mayHaveBegun()) {
                followLater(stream, e);
            }
            throw e;
        }
        long ticket = queue.begin(stream, isOfAllRanks(), body.count());
        context.launched();
        lastStream = stream;
        lastTicket = ticket;
        enqueued = number;
        queue.enqueued(this, number);
        return ticket;
    }

    private void followLater(GpuStream stream, Throwable failure) {
        try {
            context.queue().failed(stream);
        } catch (RuntimeException e) { // of a device that fails anyway
            failure.addSuppressed(e);
        }
    }

    private long capture(GpuStream stream) {
        CaptureInfo capture = stream.capture();
        LaunchQueue queue = context.queue();
        queue.captures().orderNext(stream, capture.id());
        graphs.add(capture); // first: from here on the graph may contain kernels of this launch
        context.captured(capture);
        if (transfers.isPresent() && !body.isEmpty()) {
            captureTransfers(stream);
        } else {
            body.launch(stream, finished.address(), 0);
        }
        queue.captures().captured(stream, capture.id());
        CapturedLaunches.of(capture).ifPresent(work -> work.add(context, isOfAllRanks(), replayListener));
        return 0;
    }

    @Override
    public void listenToReplays(ReplayListener listener) {
        replayListener = listener;
    }

    @Override
    public List<PendingTransfer> pendingOfReplay() {
        ReplayWords words = replayed;
        return words == null || !words.isUnderWay()
                ? List.of()
                : transfers.map(moves -> moves.pending().apply(words::hasEnded)).orElseGet(List::of);
    }

    /**
     * Captures transfers with words that record their progress: the search for a rank that does not take part needs to
     * know which transfers have moved.
     */
    private void captureTransfers(GpuStream stream) {
        ReplayWords words = replayed;
        if (words == null) {
            words = new ReplayWords(context.engine().words(), endWords);
            replayed = words;
        }
        body.launch(stream, words.address(), ReplayWords.number());
    }

    @Override
    public void refuse() {
        LaunchQueue queue = context.queue();
        queue.lock().lock();
        try {
            refusing = true;
        } finally {
            queue.lock().unlock();
        }
    }

    @Override
    public boolean isCaptured() {
        return !graphs.isEmpty();
    }

    @Override
    public long enqueued() {
        return enqueued;
    }

    @Override
    public boolean isEnded(long number) {
        if (number <= endedUpTo) {
            return true;
        }
        if (context.engine().context().isLost()) {
            return true; // nothing runs on a lost device, and the communicator was ended before
        }
        if (body.isEmpty()) {
            return followsEnded();
        }
        for (int word = 0; word < endWords; word++) {
            if (finished.getAcquire(word) < number) {
                return false;
            }
        }
        return true;
    }

    /** A kernel that has met another launch requests an abort before it leaves, and this method finds the request. */
    @Override
    public boolean isCompleted(long number) {
        boolean completed = isEnded(number);
        if (completed) {
            context.lookForAbort();
        }
        return completed;
    }

    /**
     * Whether all launches before this one's last are known to have ended. A launch that moves nothing has ended then
     * too.
     */
    private boolean followsEnded() {
        return context.queue().order().endedCount() >= lastTicket - 1;
    }

    @Override
    public boolean await(long number, long nanos) {
        if (isEnded(number)) {
            noteEnd(number);
            return true;
        }
        Backoff backoff = BACKOFF.get();
        backoff.start(nanos);
        int looks = 0;
        while (!isEnded(number)) {
            if (body.isEmpty()) {
                context.queue().order().look();
            }
            if (++looks % LOOKS_BETWEEN_QUERIES == 0) {
                context.queue().failIfFailed();
            }
            if (Thread.currentThread().isInterrupted() || !backoff.pause()) {
                return isCompleted(number); // the waiting caller handles the interrupt
            }
        }
        noteEnd(number);
        return true;
    }

    /**
     * Records the end of a launch. Does not wait for a thread that is launching: if the lock is taken, the next look at
     * the queue finds the end.
     */
    private void noteEnd(long number) {
        LaunchQueue queue = context.queue();
        queue.requests().poll();
        if (queue.lock().tryLock()) {
            try {
                if (body.isEmpty()) {
                    endedUpTo = Math.max(endedUpTo, number);
                }
                if (number == enqueued) {
                    queue.ended(lastTicket);
                }
            } finally {
                queue.lock().unlock();
            }
        }
    }

    @Override
    public void orderAfter(long number, Stream stream) {
        GpuStream then = GpuStream.of(stream);
        if (then.isCapturing()) {
            LaunchQueue queue = context.queue();
            queue.lock().lock();
            try {
                queue.captures().orderNext(then, then.capture().id());
            } finally {
                queue.lock().unlock();
            }
            return;
        }
        GpuStream first = lastStream;
        if (first != null && !first.isSameAs(then) && !isCompleted(number)) {
            context.queue().orderAfter(first, then);
        }
    }

    @Override
    public void close() {
        LaunchQueue queue = context.queue();
        queue.lock().lock();
        try {
            if (closed) {
                return;
            }
            refusing = true;
            closed = true;
            endedUpTo = enqueued;
        } finally {
            queue.lock().unlock();
        }
        context.engine().words().giveBack(finished);
        ReplayWords words = replayed;
        if (words != null) {
            words.close(); // no graph replays it, or its kernels leave before they write
        }
        DeferredRelease remains = new DeferredRelease(graphs.alive());
        body.close(remains);
        remains.settle();
    }
}

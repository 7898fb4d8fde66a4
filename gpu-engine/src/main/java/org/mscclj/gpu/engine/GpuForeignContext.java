package org.mscclj.gpu.engine;

import java.util.concurrent.TimeUnit;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.gpu.queue.AbortRequest;
import org.mscclj.gpu.queue.DeferredRelease;
import org.mscclj.gpu.queue.LaunchQueue;
import org.mscclj.gpu.stream.CaptureInfo;
import org.mscclj.gpu.stream.GraphPins;
import org.mscclj.gpu.stream.ReplayOrder;
import org.mscclj.spi.engine.ForeignContext;
import org.mscclj.spi.engine.ForeignSpec;
import org.mscclj.spi.engine.ForeignWork;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.waiting.Backoff;

/**
 * Work of another library on one rank, among the launches of its communicator. The library decides how much of the GPU
 * its kernels take: nothing is reserved for them.
 */
final class GpuForeignContext implements ForeignContext, LaunchOwner, AbortRequest {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final ForeignSpec spec;
    private final GpuPlanEngine engine;
    private final LaunchQueue queue;
    private final GraphPins graphs = new GraphPins();
    private volatile boolean closed;

    GpuForeignContext(ForeignSpec spec, GpuPlanEngine engine) {
        this.spec = spec;
        this.engine = engine;
        this.queue = engine.queue(spec.order(), spec.abort());
        queue.requests().add(this);
    }

    @Override
    public PreparedLaunch prepare(ForeignWork work) {
        return GpuLaunch.ofForeign(this, work);
    }

    @Override
    public GpuPlanEngine engine() {
        return engine;
    }

    @Override
    public LaunchQueue queue() {
        return queue;
    }

    @Override
    public void launched() {}

    @Override
    public ReplayOrder order() {
        return queue;
    }

    @Override
    public void replayed() {}

    @Override
    public void captured(CaptureInfo capture) {
        graphs.add(capture);
        engine.captured(capture); // what the context owns may need the GPU's context
    }

    @Override
    public boolean isAsked() {
        return !closed && !spec.abort().isSet() && spec.failure().get().isPresent();
    }

    @Override
    public boolean look() {
        if (isAsked()) {
            spec.failure().get().ifPresent(this::abort);
        }
        return !closed && !spec.abort().isSet();
    }

    private void abort(MsccljException failure) {
        String why = "rank " + spec.rank() + ": " + spec.library() + " has failed: " + failure.getMessage();
        if (failure instanceof BackendException device) {
            spec.abort().fail(why, device);
        } else {
            spec.abort().fail(why);
        }
    }

    @Override
    public void lookForAbort() {
        if (isAsked()) {
            boolean _ = look();
        }
    }

    @Override
    public boolean refuseReplays(long nanos) {
        queue.refuseReplays();
        Backoff backoff = Backoff.every(PAUSE_NANOS);
        backoff.start(nanos);
        return backoff.awaitUninterruptibly(queue::isIdle);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            queue.requests().remove(this);
            DeferredRelease remains = new DeferredRelease(graphs.alive());
            engine.giveBack(queue, remains);
            remains.add(spec.owned());
            remains.settle();
        }
    }
}

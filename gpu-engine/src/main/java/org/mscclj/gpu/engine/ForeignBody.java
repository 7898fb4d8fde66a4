package org.mscclj.gpu.engine;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.queue.DeferredRelease;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.engine.ForeignWork;

/** Work of another library, behind which the stream writes an end word. */
final class ForeignBody implements LaunchBody {
    /** A library enqueues an unknown number of kernels, and the stream a write. */
    private static final long COUNT = 4;

    private final DeviceContext context;
    private final ForeignWork work;
    private boolean begun;

    ForeignBody(DeviceContext context, ForeignWork work) {
        this.context = context;
        this.work = work;
    }

    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public long count() {
        return COUNT;
    }

    @Override
    public int endWords() {
        return 1;
    }

    @Override
    public void launch(GpuStream stream, long endWord, long number) {
        begun = false;
        work.enqueue(stream);
        begun = true;
        if (number != 0) {
            long before = context.enter();
            int result = context.driver().streams().writeValue(stream.handle(), endWord, number);
            context.leave(before);
            if (result != DriverErrors.SUCCESS) {
                throw context.failure(result, "the write behind work of another library");
            }
        }
    }

    @Override
    public boolean hasBegun() {
        return begun;
    }

    /** A library that fails may have enqueued a part of its work. */
    @Override
    public boolean mayHaveBegun() {
        return true;
    }

    @Override
    public void close(DeferredRelease remains) {}

    @Override
    public void close() {}
}

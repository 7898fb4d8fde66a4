package org.mscclj.gpu.context;

/**
 * While this is open, calls of this thread do not break captures of other threads, not even those of other software in
 * the strictest mode, which the driver otherwise ends as soon as anybody asks it about an event or a stream, or takes
 * or frees pinned memory. For platform threads, and for virtual ones that do not wait meanwhile: the mode is that of
 * the thread of the operating system.
 */
public final class RelaxedThread implements AutoCloseable {
    private final CaptureModes modes;
    private final int before;

    RelaxedThread(CaptureModes modes, int before) {
        this.modes = modes;
        this.before = before;
    }

    @Override
    public void close() {
        int _ = modes.exchange(before);
    }
}

package org.mscclj.gpu.context;

/**
 * While this is open, calls of this thread do not break captures of other threads, not even captures by other software
 * in the strictest mode. Otherwise the driver ends such a capture as soon as a thread queries an event or a stream, or
 * allocates or frees pinned memory. For platform threads, and for virtual threads that do not wait meanwhile: the mode
 * belongs to the thread of the operating system.
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

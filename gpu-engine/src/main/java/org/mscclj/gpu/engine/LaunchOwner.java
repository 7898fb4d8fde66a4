package org.mscclj.gpu.engine;

import org.mscclj.gpu.queue.LaunchQueue;
import org.mscclj.gpu.stream.CaptureInfo;
import org.mscclj.gpu.stream.CapturedLaunch;

/** The context to which launches belong. */
interface LaunchOwner extends CapturedLaunch {
    GpuPlanEngine engine();

    /** The launches of the communicator. */
    LaunchQueue queue();

    /** Called after each launch has been enqueued. Allocates nothing. */
    void launched();

    /** Records that a graph that is being captured has a launch of this context from now on. */
    void captured(CaptureInfo capture);

    /** Aborts the communicator if a launch of this context has requested that. Allocates nothing. */
    void lookForAbort();
}

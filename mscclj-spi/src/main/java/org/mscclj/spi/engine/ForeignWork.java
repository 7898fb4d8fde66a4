package org.mscclj.spi.engine;

import org.mscclj.api.device.Stream;

/**
 * Work of another library, for example a collective of NCCL, which an engine enqueues as a launch of a communicator.
 */
@FunctionalInterface
public interface ForeignWork {
    /**
     * Enqueues the work. The engine calls this in the order of the communicator's launches, and lets no other launch of
     * the communicator begin meanwhile. So this must not call the communicator. Allocates nothing.
     *
     * @param stream a stream of the device; during a capture the work becomes part of the graph
     * @throws RuntimeException if the library refuses the call. Enqueue nothing then. If a part was enqueued, the next
     *     launch of the communicator follows it, but nothing keeps its buffers
     */
    void enqueue(Stream stream);
}

package org.mscclj.runtime.execution;

import java.util.List;
import org.mscclj.spi.engine.PortBuffers;

/** The memory ids of a launch's buffers, by port channel. */
record PortBuffersWiring(List<PortBuffers> buffers) implements AutoCloseable {
    @Override
    public void close() {}
}

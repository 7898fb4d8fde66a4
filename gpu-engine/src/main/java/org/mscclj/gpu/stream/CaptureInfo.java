package org.mscclj.gpu.stream;

import org.mscclj.gpu.driver.GpuDriver;

/**
 * A capture that is under way.
 *
 * @param driver of the GPU
 * @param id identifies the capture among those of this driver
 * @param graph the driver's {@code CUgraph} that is being made
 */
public record CaptureInfo(GpuDriver driver, long id, long graph) {
    /**
     * Identifies a capture in this process, which may use several drivers.
     *
     * @param backend the name of the backend whose driver captures
     * @param id identifies the capture among those of this driver
     */
    record Key(String backend, long id) {}

    Key key() {
        return new Key(driver.backend(), id);
    }
}

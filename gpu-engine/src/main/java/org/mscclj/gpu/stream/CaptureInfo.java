package org.mscclj.gpu.stream;

import org.mscclj.gpu.driver.GpuDriver;

/**
 * A capture that is under way.
 *
 * @param driver of the GPU
 * @param id identifies the capture in this process
 * @param graph the driver's {@code CUgraph} that is being made
 */
public record CaptureInfo(GpuDriver driver, long id, long graph) {}

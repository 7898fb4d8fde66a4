package org.mscclj.gpu.context;

import org.mscclj.gpu.driver.GpuDriver;

/**
 * A GPU of this process.
 *
 * @param driver of its vendor
 * @param ordinal its number among the GPUs that the driver shows to this process
 */
public record Gpu(GpuDriver driver, int ordinal) {}

/**
 * Memory of GPUs, pinned memory of the host, and memory of other software: buffers, who uses them, and how peers map
 * them. Device memory is the driver's virtual memory: a {@link org.mscclj.gpu.memory.DeviceBlock} is what peers map,
 * and holds one large allocation or many small ones. {@link org.mscclj.gpu.memory.ForeignRange} says what peers map of
 * memory of other software.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.memory;

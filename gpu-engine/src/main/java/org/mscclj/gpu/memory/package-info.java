/**
 * Memory of GPUs, pinned memory of the host, and memory of other software: buffers, their users, and the mappings of
 * peers. Device memory is the driver's virtual memory: peers map a {@link org.mscclj.gpu.mapping.DeviceBlock}, which
 * holds one large allocation or many small ones. {@link org.mscclj.gpu.memory.ForeignRange} defines how peers map
 * memory of other software.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.memory;

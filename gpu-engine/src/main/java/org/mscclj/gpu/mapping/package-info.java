/**
 * The driver's physical memory and the ranges of addresses at which this process maps it, its own and that of peers: by
 * virtual memory management, and by handles of older interfaces.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.mapping;

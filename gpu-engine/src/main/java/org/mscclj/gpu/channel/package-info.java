/** Channels for user kernels: structures in memory of the GPU, beside the state that several kernels share. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.channel;

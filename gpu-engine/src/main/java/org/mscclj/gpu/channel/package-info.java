/** Channels that kernels of users use: structures in memory of the GPU, beside the state that several kernels share. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.channel;

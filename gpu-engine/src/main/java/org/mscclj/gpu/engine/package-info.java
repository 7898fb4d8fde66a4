/**
 * The plan engine: compiles a kernel for a plan's block shapes, keeps its state on the GPU, and launches it.
 *
 * <p>A launch is one kernel for each round, on the caller's stream; nothing on this path waits for the GPU. Kernels say
 * that they have ended by writing words in memory of the host, which is what waiting for them polls.
 */
package org.mscclj.gpu.engine;

/**
 * The plan engine: compiles a kernel for a plan's block shapes, keeps its state on the GPU, and launches it.
 *
 * <p>A launch is one kernel for each round, on the caller's stream; nothing on this path waits for the GPU. Kernels
 * report their end by writing words in the host's memory, and a waiting caller polls these words.
 */
package org.mscclj.gpu.engine;

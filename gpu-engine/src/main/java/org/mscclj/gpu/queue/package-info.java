/**
 * The order of a communicator's launches on one GPU: on all streams, in captures and in replays, and the words in the
 * host's memory by which kernels report their end and request an abort.
 */
package org.mscclj.gpu.queue;

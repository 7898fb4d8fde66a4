/**
 * The transport between ranks whose memory a GPU can map. The GPU's copy engines move the data, and its streams keep
 * the order.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.transport;

/**
 * The transport between ranks whose memory a GPU can map: its copy engines move data, and its streams keep the order.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.transport;

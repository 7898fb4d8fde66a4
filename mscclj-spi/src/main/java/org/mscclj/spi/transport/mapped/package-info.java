/**
 * The common part of transports between ranks that map each other's memory: everything but the
 * {@link org.mscclj.spi.transport.TransportConnection connection}, which copies data and raises counters.
 */
package org.mscclj.spi.transport.mapped;

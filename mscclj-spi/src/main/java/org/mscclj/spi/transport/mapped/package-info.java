/**
 * What transports between ranks that map each other's memory have in common: all but the
 * {@link org.mscclj.spi.transport.TransportConnection connection}, which knows how data is copied and counters are
 * raised.
 */
package org.mscclj.spi.transport.mapped;

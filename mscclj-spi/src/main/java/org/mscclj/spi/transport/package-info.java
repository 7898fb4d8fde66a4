/**
 * Transports: one-sided writes and signals between ranks, carried out by the host. Known providers: {@code host} in
 * backend-host and {@code cuda} in backend-cuda, for ranks of one host; {@code tcp} in transport-tcp, for memory that
 * the host can access, anywhere.
 */
package org.mscclj.spi.transport;

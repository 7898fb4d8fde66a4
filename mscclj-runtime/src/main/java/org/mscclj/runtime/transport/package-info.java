/** Transports of a rank, selection of the transport that reaches a peer, and the proxy that drives them. */
package org.mscclj.runtime.transport;

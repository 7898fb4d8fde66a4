/** The rules of transports, on two ranks of one process that only the transport connects. */
package org.mscclj.conformance.transport;

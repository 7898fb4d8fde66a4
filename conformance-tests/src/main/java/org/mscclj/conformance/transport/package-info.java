/** The rules of transports, on two ranks of one process that are joined by nothing but the transport. */
package org.mscclj.conformance.transport;

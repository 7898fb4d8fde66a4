/** The transport between ranks of one host: the proxy's thread copies memory and raises counters itself. */
package org.mscclj.backend.host.transport;

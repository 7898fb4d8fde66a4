/** Which transports a rank has, which of them reaches a peer, and the proxy that drives them. */
package org.mscclj.runtime.transport;

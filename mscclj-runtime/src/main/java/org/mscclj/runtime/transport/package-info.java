/** Which transports a rank has, and which of them reaches a peer. */
package org.mscclj.runtime.transport;

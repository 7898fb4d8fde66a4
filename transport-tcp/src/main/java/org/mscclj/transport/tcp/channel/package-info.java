/** Channels of bytes over a socket: plain, with TLS, or sealed by keys that both ends derive from a token. */
package org.mscclj.transport.tcp.channel;

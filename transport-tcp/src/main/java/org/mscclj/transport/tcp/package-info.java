/**
 * The transport {@code tcp}: one-sided writes and signals to any rank that a TCP connection reaches.
 * {@link org.mscclj.transport.tcp.TcpTransport} holds the memory and the connections of one rank. A connection uses
 * several sockets, which it shares with the other connections to the same process; one thread serves all sockets of the
 * process. docs/decisions/0009-transport-tcp.md specifies the protocol.
 */
package org.mscclj.transport.tcp;

/**
 * The transport {@code tcp}: one-sided writes and signals to any rank that a TCP connection reaches. A
 * {@link org.mscclj.transport.tcp.TcpConnection} connects to one peer over several sockets, its <em>lanes</em>:
 * {@link org.mscclj.transport.tcp.Outgoing} cuts operations into frames, {@link org.mscclj.transport.tcp.Incoming}
 * stores received frames in order. One {@link org.mscclj.transport.tcp.EventLoop} thread serves all lanes of the
 * process. docs/decisions/0009-transport-tcp.md specifies the protocol.
 */
package org.mscclj.transport.tcp;

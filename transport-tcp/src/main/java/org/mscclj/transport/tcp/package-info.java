/**
 * The transport {@code tcp}: one-sided writes and signals to any rank that a TCP connection reaches. A {@link
 * org.mscclj.transport.tcp.TcpConnection} leads to one peer over several sockets, its <em>lanes</em>; one {@link
 * org.mscclj.transport.tcp.EventLoop} thread serves all lanes of the process. The protocol is written down in
 * docs/decisions/0009-transport-tcp.md.
 */
package org.mscclj.transport.tcp;

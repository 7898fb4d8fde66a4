/**
 * A {@link org.mscclj.transport.tcp.connection.TcpConnection} connects to one peer over several byte streams, its
 * <em>lanes</em>: {@link org.mscclj.transport.tcp.connection.Outgoing} cuts operations into frames,
 * {@link org.mscclj.transport.tcp.connection.Incoming} stores received frames in order.
 */
package org.mscclj.transport.tcp.connection;

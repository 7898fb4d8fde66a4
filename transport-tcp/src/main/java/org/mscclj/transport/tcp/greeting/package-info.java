/**
 * How two endpoints authenticate each other, on a socket and on each stream of a link.
 * {@link org.mscclj.transport.tcp.greeting.ProcessSockets} owns the sockets of a process and the endpoints to which
 * peers connect.
 */
package org.mscclj.transport.tcp.greeting;

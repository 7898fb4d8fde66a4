/**
 * Links: sockets that two processes share. A {@link org.mscclj.transport.tcp.link.ProcessLink} carries the lanes of all
 * connections between the processes as {@linkplain org.mscclj.transport.tcp.link.LinkStream streams}.
 */
package org.mscclj.transport.tcp.link;

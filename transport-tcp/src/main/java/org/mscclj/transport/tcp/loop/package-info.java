/** The thread that serves sockets and time limits. */
package org.mscclj.transport.tcp.loop;

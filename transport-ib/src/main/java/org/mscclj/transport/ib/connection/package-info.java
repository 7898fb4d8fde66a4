/** Connections to peers: queue pairs, the operations that wait for them, and signals without atomic operations. */
package org.mscclj.transport.ib.connection;

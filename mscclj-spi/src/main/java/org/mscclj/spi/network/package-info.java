/** The choice of the address at which other ranks reach this host, for the control plane and for transports. */
package org.mscclj.spi.network;

/** By which address of this host other ranks reach it: one place for the control plane and for transports. */
package org.mscclj.spi.network;

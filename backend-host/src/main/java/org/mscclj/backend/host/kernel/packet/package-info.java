/** Kernels on packets of the LL protocol, whose data and flag travel in one store. */
package org.mscclj.backend.host.kernel.packet;

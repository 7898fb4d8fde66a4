/** The steps of point-to-point transfers: chunks move through slots of the receiver's scratch, lane by lane. */
package org.mscclj.backend.host.transfer;

/** The steps of messages between two ranks: chunks go through slots of the receiver's scratch, lane by lane. */
package org.mscclj.backend.host.transfer;

/**
 * Point-to-point transfers and their lanes. Sender and receiver each know only their own end; data from one rank to
 * another arrives in the order in which it was sent.
 */
package org.mscclj.spi.transfer;

/**
 * Messages from rank to rank: what moves, and the lanes that it takes. Sender and receiver of a message each know
 * nothing but their own end; what goes from one rank to another arrives in the order in which it was sent.
 */
package org.mscclj.spi.transfer;

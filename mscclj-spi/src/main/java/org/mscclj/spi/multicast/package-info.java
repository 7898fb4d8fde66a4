/** Multicast memory for switch channels, where hardware has it. Engines that lack it emulate it over mapped memory. */
package org.mscclj.spi.multicast;

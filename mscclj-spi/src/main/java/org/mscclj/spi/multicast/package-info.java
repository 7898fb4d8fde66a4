/**
 * Multicast memory for switch channels, where hardware has it. The runtime sets groups up and gives engines their
 * addresses in {@link org.mscclj.spi.engine.LaunchSpec#multicasts}. Without addresses, engines emulate multicast over
 * mapped memory.
 */
package org.mscclj.spi.multicast;

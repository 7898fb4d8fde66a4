/**
 * Multicast memory for switch channels, where hardware has it. Without it, engines emulate multicast over mapped
 * memory.
 */
package org.mscclj.spi.multicast;

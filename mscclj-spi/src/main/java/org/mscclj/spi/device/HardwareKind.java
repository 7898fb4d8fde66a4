package org.mscclj.spi.device;

/**
 * The kind of a device, by which measured choices of algorithms are found.
 *
 * @param device the name of its kind, equal for all devices that are equally fast
 * @param driver the version of the software that runs it
 * @param instance identifies the device among all of its host; empty if it does not matter whether ranks share it
 */
public record HardwareKind(String device, String driver, String instance) {}

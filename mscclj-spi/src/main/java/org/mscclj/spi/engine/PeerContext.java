package org.mscclj.spi.engine;

import java.util.OptionalLong;

/**
 * The addresses of a rank's context memory on this rank's device.
 *
 * @param scratch address of its scratch; empty if it is not mapped here
 * @param counters address of its counters; empty if they are not mapped here
 */
public record PeerContext(OptionalLong scratch, OptionalLong counters) {}

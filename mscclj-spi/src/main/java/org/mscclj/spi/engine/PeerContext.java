package org.mscclj.spi.engine;

import java.util.OptionalLong;

/**
 * Where a rank's context memory lies, as this rank's device sees it.
 *
 * @param scratch address of its scratch; empty if it is not mapped here
 * @param counters address of its counters; empty if they are not mapped here
 */
public record PeerContext(OptionalLong scratch, OptionalLong counters) {}

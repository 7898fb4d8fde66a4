package org.mscclj.spi.engine;

import java.util.OptionalLong;

/**
 * Where a rank's input and output lie, as this rank's device sees them.
 *
 * @param input address of its input; empty if it is not mapped here
 * @param output address of its output; empty if it is not mapped here
 */
public record PeerBuffers(OptionalLong input, OptionalLong output) {}

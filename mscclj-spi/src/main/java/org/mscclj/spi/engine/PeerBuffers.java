package org.mscclj.spi.engine;

import java.util.OptionalLong;

/**
 * The addresses of a rank's input and output on this rank's device.
 *
 * @param input address of its input; empty if it is not mapped here
 * @param output address of its output; empty if it is not mapped here
 */
public record PeerBuffers(OptionalLong input, OptionalLong output) {}

package org.mscclj.backend.host.step;

import org.mscclj.plan.layout.RoundLayout;

/**
 * The rounds of a launch that have equal layouts. Steps compare the object with that of the last launch: if it is the
 * same, their operands are still valid.
 *
 * @param layout the layout
 * @param buffers the buffers of the launch
 */
public record LaunchRound(RoundLayout layout, LaunchBuffers buffers) {}

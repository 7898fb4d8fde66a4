/**
 * Predicts the duration of a plan: executes all ranks on a simulated clock over a model of links, without data.
 *
 * <p>Times are nanoseconds since the launch, bandwidths bytes per nanosecond (10<sup>9</sup> bytes per second).
 */
@NullMarked
package org.mscclj.analysis.simulate;

import org.jspecify.annotations.NullMarked;

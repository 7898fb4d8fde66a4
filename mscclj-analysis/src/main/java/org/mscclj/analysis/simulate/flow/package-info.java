/** A simulated clock, and flows of bytes over links with fair sharing. */
@NullMarked
package org.mscclj.analysis.simulate.flow;

import org.jspecify.annotations.NullMarked;

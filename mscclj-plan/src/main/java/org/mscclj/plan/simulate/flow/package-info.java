/** A clock, and bytes that flow over links which they share fairly. */
@NullMarked
package org.mscclj.plan.simulate.flow;

import org.jspecify.annotations.NullMarked;

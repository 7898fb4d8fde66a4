/** Fits a topology to measurements. */
@NullMarked
package org.mscclj.plan.simulate.calibrate;

import org.jspecify.annotations.NullMarked;

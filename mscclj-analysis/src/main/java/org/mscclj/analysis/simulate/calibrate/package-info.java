/** Fits a topology to measurements. */
@NullMarked
package org.mscclj.analysis.simulate.calibrate;

import org.jspecify.annotations.NullMarked;

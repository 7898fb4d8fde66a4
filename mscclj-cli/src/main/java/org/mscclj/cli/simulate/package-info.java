/** {@code mscclj simulate}: predicts the time of a plan, also on machines that are not available. */
@NullMarked
package org.mscclj.cli.simulate;

import org.jspecify.annotations.NullMarked;

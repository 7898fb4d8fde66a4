/** {@code mscclj simulate}: predicts how long a plan takes on a machine that need not be there. */
@NullMarked
package org.mscclj.cli.simulate;

import org.jspecify.annotations.NullMarked;

/** {@code mscclj run}: runs a plan, checks its results, and measures it. */
@NullMarked
package org.mscclj.cli.run;

import org.jspecify.annotations.NullMarked;

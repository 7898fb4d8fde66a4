/** Other libraries that {@code mscclj perf} compares with, in the same run. */
@NullMarked
package org.mscclj.cli.perf.peer;

import org.jspecify.annotations.NullMarked;

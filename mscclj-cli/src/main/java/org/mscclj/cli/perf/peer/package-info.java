/** The other libraries with which {@code mscclj perf} compares in the same run. */
@NullMarked
package org.mscclj.cli.perf.peer;

import org.jspecify.annotations.NullMarked;

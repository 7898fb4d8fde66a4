/** {@code mscclj perf}: measures a collective over a range of sizes. */
@NullMarked
package org.mscclj.cli.perf;

import org.jspecify.annotations.NullMarked;

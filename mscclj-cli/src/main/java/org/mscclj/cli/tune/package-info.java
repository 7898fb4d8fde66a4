/** {@code mscclj tune}: measures which shipped program is fastest for which size, and writes a selection table. */
@NullMarked
package org.mscclj.cli.tune;

import org.jspecify.annotations.NullMarked;

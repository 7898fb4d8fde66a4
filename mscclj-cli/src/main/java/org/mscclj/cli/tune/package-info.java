/** {@code mscclj tune}: measures which shipped program is fastest for which size, and adds it to a tuning file. */
@NullMarked
package org.mscclj.cli.tune;

import org.jspecify.annotations.NullMarked;

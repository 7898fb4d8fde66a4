/** {@code mscclj stress}: tests communicators under load and with failing ranks. */
@NullMarked
package org.mscclj.cli.stress;

import org.jspecify.annotations.NullMarked;

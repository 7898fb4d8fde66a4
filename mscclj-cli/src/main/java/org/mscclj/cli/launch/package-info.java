/** {@code mscclj launch}: ranks as processes of this machine; and the same command again, as one rank each. */
@NullMarked
package org.mscclj.cli.launch;

import org.jspecify.annotations.NullMarked;

/** {@code mscclj launch}: starts ranks as processes of this machine, and the command itself as ranks. */
@NullMarked
package org.mscclj.cli.launch;

import org.jspecify.annotations.NullMarked;

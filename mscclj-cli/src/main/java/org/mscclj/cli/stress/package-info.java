/** {@code mscclj stress}: what breaks only under load, or when ranks misbehave. */
@NullMarked
package org.mscclj.cli.stress;

import org.jspecify.annotations.NullMarked;

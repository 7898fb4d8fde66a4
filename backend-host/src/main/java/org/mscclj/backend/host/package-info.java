/** Collectives on the CPU. */
@NullMarked
package org.mscclj.backend.host;

import org.jspecify.annotations.NullMarked;

/** Checks of what callers give. Not exported. */
@NullMarked
package org.mscclj.api.check;

import org.jspecify.annotations.NullMarked;

/** Checks of callers' arguments. Not exported. */
@NullMarked
package org.mscclj.api.check;

import org.jspecify.annotations.NullMarked;

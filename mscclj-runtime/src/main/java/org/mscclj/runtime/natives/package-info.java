/** The native algorithms that the service loader finds. */
@NullMarked
package org.mscclj.runtime.natives;

import org.jspecify.annotations.NullMarked;

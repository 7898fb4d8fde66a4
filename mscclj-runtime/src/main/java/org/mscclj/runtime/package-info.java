/** The engine. */
@NullMarked
package org.mscclj.runtime;

import org.jspecify.annotations.NullMarked;

/** What backends and transports implement. */
@NullMarked
package org.mscclj.spi;

import org.jspecify.annotations.NullMarked;

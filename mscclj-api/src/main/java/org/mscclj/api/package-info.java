/** The API that applications compile against. */
@NullMarked
package org.mscclj.api;

import org.jspecify.annotations.NullMarked;

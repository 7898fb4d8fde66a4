/** What communicators and calls are given besides their arguments. */
@NullMarked
package org.mscclj.api.option;

import org.jspecify.annotations.NullMarked;

/** Options of communicators and calls besides their arguments. */
@NullMarked
package org.mscclj.api.option;

import org.jspecify.annotations.NullMarked;

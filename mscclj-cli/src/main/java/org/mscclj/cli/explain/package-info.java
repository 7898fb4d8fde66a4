/** {@code mscclj explain}: says which algorithm serves a call, and why each other one does not. */
@NullMarked
package org.mscclj.cli.explain;

import org.jspecify.annotations.NullMarked;

/** The command {@code mscclj} and its entry point. */
@NullMarked
package org.mscclj.cli;

import org.jspecify.annotations.NullMarked;

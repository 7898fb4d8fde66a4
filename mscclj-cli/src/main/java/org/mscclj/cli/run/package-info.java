/** {@code mscclj run}: runs a plan on ranks of this JVM, checks it, and measures it. */
@NullMarked
package org.mscclj.cli.run;

import org.jspecify.annotations.NullMarked;

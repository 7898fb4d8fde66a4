/** {@code mscclj info}: what is here to run on. */
@NullMarked
package org.mscclj.cli.info;

import org.jspecify.annotations.NullMarked;

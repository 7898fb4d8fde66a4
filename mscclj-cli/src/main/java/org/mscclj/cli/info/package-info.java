/** {@code mscclj info}: shows the installed providers and this machine. */
@NullMarked
package org.mscclj.cli.info;

import org.jspecify.annotations.NullMarked;

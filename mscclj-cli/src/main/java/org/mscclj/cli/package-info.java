/** The command line. */
@NullMarked
package org.mscclj.cli;

import org.jspecify.annotations.NullMarked;

/** The shell scripts that start the command. */
@NullMarked
package org.mscclj.cli.script;

import org.jspecify.annotations.NullMarked;

/** Ranks that are killed, terminated or stopped at any moment of a communicator's life. */
@NullMarked
package org.mscclj.cli.stress.chaos;

import org.jspecify.annotations.NullMarked;

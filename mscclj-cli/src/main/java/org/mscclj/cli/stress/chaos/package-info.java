/** The scenario that kills, terminates and stops ranks at any moment of a communicator's life. */
@NullMarked
package org.mscclj.cli.stress.chaos;

import org.jspecify.annotations.NullMarked;

/**
 * The ranks of scenarios with faults: their repeated operations, mismatching calls, and the process that executes
 * commands.
 */
@NullMarked
package org.mscclj.cli.stress.rank;

import org.jspecify.annotations.NullMarked;

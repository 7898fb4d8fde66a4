/**
 * What a rank does in scenarios of faults: operations that repeat, calls that do not match, and the process that is
 * told what to do.
 */
@NullMarked
package org.mscclj.cli.stress.rank;

import org.jspecify.annotations.NullMarked;

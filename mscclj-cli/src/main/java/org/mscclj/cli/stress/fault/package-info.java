/**
 * Faults that are made on purpose, and what the ranks say about them: killed and stopped processes, calls that do not
 * match, aborts.
 */
@NullMarked
package org.mscclj.cli.stress.fault;

import org.jspecify.annotations.NullMarked;

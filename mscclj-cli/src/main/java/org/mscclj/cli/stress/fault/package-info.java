/**
 * Scenarios that cause faults and check the reports of the ranks: killed and stopped processes, mismatching calls,
 * aborts.
 */
@NullMarked
package org.mscclj.cli.stress.fault;

import org.jspecify.annotations.NullMarked;

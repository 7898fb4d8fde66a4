/**
 * Checks results against the definition of each collective. Written independently of the backends: it shares no
 * conversion and no arithmetic with their kernels.
 */
@NullMarked
package org.mscclj.cli.check;

import org.jspecify.annotations.NullMarked;

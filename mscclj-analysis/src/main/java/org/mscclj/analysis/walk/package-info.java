/** The order in which blocks execute their operations, shared by verifier and simulator. */
@NullMarked
package org.mscclj.analysis.walk;

import org.jspecify.annotations.NullMarked;

/** Checks of what calls have in common on all ranks: signatures, locations of buffers, algorithms and hints. */
package org.mscclj.conformance.rank.call;

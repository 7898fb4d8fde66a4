/**
 * What must be equal on all ranks, as data. A signature has a version and a binary form, which ranks compare; each rank
 * renders words by itself, and only where signatures differ.
 */
@NullMarked
package org.mscclj.runtime.signature;

import org.jspecify.annotations.NullMarked;

/**
 * Properties that must be equal on all ranks, as data. A signature has a version and a binary form, which ranks
 * compare. Each rank renders a signature as text by itself, and only if signatures differ.
 */
@NullMarked
package org.mscclj.runtime.signature;

import org.jspecify.annotations.NullMarked;

/**
 * The arithmetic of {@code docs/SPEC.md}, section 3, on the encodings of single elements: what the engine of the CPU
 * and the reference interpreter compute alike.
 */
package org.mscclj.support.arithmetic;

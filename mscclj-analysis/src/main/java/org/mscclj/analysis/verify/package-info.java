/**
 * Proves execution plans, or refutes them, by running all ranks with symbolic values.
 * {@link org.mscclj.analysis.verify.Verifier} is the entry.
 */
package org.mscclj.analysis.verify;

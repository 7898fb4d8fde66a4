/**
 * Proves execution plans, or refutes them, by running all ranks with symbolic values.
 * {@link org.mscclj.plan.verify.Verifier} is the entry.
 */
package org.mscclj.plan.verify;

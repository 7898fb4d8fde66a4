/**
 * Facts about plans: digests, pairings, verdicts of the verifier, use of buffers, and whether a plan fits the nodes.
 * The ranks of a process share what takes long to compute.
 */
package org.mscclj.runtime.execution.plan;

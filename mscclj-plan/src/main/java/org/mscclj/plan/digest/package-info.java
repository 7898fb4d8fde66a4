/** Digests that identify contents: plans, kernels, names of files. */
package org.mscclj.plan.digest;

/** What the verifier finds: the verdict on a plan, and the faults that it names. */
package org.mscclj.analysis.verdict;

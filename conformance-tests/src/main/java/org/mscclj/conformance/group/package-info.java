/** Groups of ranks on which cases run: threads, threads on several nodes, or processes. */
package org.mscclj.conformance.group;

/** Groups of ranks that cases are tried on: threads, threads on several nodes, or processes. */
package org.mscclj.conformance.group;

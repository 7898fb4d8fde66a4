/** Groups of ranks on which cases run: threads or processes, on one node or several. */
package org.mscclj.conformance.group;

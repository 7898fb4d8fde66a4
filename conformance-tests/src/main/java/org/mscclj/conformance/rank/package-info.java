/**
 * What one rank does for a test case, wherever it lives: it fills its buffers, calls its communicator, and looks at
 * what it got. It needs nothing of other ranks, as it can make their data itself.
 */
package org.mscclj.conformance.rank;

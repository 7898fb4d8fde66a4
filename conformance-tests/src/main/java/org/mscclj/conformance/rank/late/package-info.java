/** Checks of ranks that launch late, or make other calls than the other ranks. */
package org.mscclj.conformance.rank.late;

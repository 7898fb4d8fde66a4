/** Checks of windows: puts, gets, signals, memory, graphs and kernels. */
package org.mscclj.conformance.rank.window;

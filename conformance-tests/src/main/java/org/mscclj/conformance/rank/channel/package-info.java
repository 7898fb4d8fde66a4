/** Checks of channels that the application sets up, for threads of the host and for kernels. */
package org.mscclj.conformance.rank.channel;

/** The library libibverbs, called by FFM: one class for each of its objects, and no policy. */
package org.mscclj.transport.ib.ffm;

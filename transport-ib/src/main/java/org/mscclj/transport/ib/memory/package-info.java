/** Registered memory of this rank and of its peers. */
package org.mscclj.transport.ib.memory;

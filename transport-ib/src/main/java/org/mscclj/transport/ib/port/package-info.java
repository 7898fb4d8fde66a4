/** The ports of this machine's adapters: which are usable, which are near to a device, and by which GID. */
package org.mscclj.transport.ib.port;

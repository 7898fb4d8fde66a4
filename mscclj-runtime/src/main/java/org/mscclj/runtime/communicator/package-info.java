/** The communicator: what one rank sees of the group. */
package org.mscclj.runtime.communicator;

/** The communicator: the view that one rank has of a group. */
package org.mscclj.runtime.communicator;

/**
 * Dumps of flight recorders: into files when a communicator fails, and over a socket to processes of this user that
 * ask.
 */
package org.mscclj.runtime.dump;

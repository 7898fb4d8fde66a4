/** Dumps of flight recorders: into files when a communicator fails, and to whoever of this user asks. */
package org.mscclj.runtime.dump;

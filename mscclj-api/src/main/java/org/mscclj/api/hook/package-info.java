/** What observers of a communicator are told: which operations it launches, and when it is aborted. */
package org.mscclj.api.hook;

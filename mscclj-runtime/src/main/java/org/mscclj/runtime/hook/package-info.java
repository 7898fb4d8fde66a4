/** Hooks that are called for the activity of a communicator. */
package org.mscclj.runtime.hook;

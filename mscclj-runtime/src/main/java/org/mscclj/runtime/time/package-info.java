/** Deadlines of waits. */
package org.mscclj.runtime.time;

/** Log of the faults of a process. */
package org.mscclj.runtime.health;

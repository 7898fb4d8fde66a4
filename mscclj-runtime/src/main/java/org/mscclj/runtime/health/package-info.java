/** Which faults a process has had. */
package org.mscclj.runtime.health;

/** Memory by its address, as the reference interpreter accesses it. */
package org.mscclj.support.memory;

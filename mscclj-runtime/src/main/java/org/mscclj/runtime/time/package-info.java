/** Waiting for so long and no longer. */
package org.mscclj.runtime.time;

/** The flight recorder: keeps the last launches of a rank for fault diagnosis. */
package org.mscclj.runtime.recorder;

/** The flight recorder: what a rank has launched last, kept so that somebody who looks for a fault finds it. */
package org.mscclj.runtime.recorder;

/** Plans under construction: channels and remote buffers are declared by their use. */
package org.mscclj.plan.sketch;

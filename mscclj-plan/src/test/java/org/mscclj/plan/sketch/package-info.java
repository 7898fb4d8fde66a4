/** Plans in the making: channels and remote buffers are declared by using them. */
package org.mscclj.plan.sketch;

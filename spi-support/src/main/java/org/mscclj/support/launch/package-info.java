/** A plan engine that runs plans by the reference interpreter, on streams that carry out work in order. */
package org.mscclj.support.launch;

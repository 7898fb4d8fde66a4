/** Windows: memory of each rank that the others map, and signals between them. */
package org.mscclj.runtime.window;

/** Ranks in a grid with named dimensions, and communicators along each. */
package org.mscclj.api.mesh;

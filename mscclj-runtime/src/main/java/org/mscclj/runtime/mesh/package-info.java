/** The control connections between all ranks of a group of processes, and what travels over them. */
package org.mscclj.runtime.mesh;

/** Control connections between all ranks of a group of processes, and the frames that they carry. */
package org.mscclj.runtime.mesh;

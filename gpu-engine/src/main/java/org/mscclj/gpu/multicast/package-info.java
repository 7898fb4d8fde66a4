/** Multicast objects of GPUs, for the providers of multicast. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.multicast;

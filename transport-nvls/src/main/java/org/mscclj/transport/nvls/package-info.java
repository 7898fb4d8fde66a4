/** The multicast provider {@code nvls}: NVLink SHARP, by the multicast objects of GPUs. Off unless it is turned on. */
package org.mscclj.transport.nvls;

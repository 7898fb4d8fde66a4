/** Channels for kernels of users: the host writes these structures of the device library. */
package org.mscclj.device.kernels.channel;

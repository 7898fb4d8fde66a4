/** What kernels of users know of channels: structures of the device library, as the host writes them. */
package org.mscclj.device.kernels.channel;

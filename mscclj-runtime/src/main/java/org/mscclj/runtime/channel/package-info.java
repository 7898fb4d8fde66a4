/**
 * Manually created channels: {@link org.mscclj.runtime.channel.RankChannels} exchanges what peers need to know over the
 * control plane, and builds memory channels from the parts of the device and port channels from the parts of the proxy.
 */
package org.mscclj.runtime.channel;

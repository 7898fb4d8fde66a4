/**
 * Channels made by hand: {@link org.mscclj.runtime.channel.RankChannels} exchanges what peers need to know over the
 * control plane, and builds memory channels from the device's and port channels from the proxy's parts.
 */
package org.mscclj.runtime.channel;

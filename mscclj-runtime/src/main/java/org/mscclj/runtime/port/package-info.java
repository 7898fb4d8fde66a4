/** A rank's transports and proxy, opened when something first needs them. */
package org.mscclj.runtime.port;

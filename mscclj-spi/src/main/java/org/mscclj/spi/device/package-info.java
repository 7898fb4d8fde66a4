/**
 * Device backends: devices, their memory, and handles by which peers map it. Known providers: {@code host} in
 * backend-host, {@code cuda} in backend-cuda.
 */
package org.mscclj.spi.device;

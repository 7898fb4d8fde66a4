/**
 * Devices and their objects: {@link org.mscclj.api.device.DeviceBuffer memory}, {@link org.mscclj.api.device.Stream
 * streams} and {@link org.mscclj.api.device.Event events}. A backend implements these interfaces directly.
 */
package org.mscclj.api.device;

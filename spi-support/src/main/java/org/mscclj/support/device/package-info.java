/**
 * The parts of a simple device: buffers over memory whose users are tracked, and a device that lacks only its memory.
 */
package org.mscclj.support.device;

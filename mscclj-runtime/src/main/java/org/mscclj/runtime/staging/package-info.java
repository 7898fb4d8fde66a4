/**
 * Moves memory that the host cannot access, as that of GPUs, over transports that move memory of the host. Each
 * connection has pinned memory on both sides; {@link org.mscclj.runtime.staging.StagedTransport} describes the
 * protocol.
 */
package org.mscclj.runtime.staging;

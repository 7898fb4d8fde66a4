/**
 * The CPU backend: ranks as threads of one process. A device is a rank's share of the host's cores; all devices of a
 * backend share one scheduler.
 */
package org.mscclj.backend.host;

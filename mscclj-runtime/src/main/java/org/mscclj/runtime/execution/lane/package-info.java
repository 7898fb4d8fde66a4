/**
 * Lanes between all ranks: point-to-point transfers and access to windows, for which a rank needs no other rank's
 * agreement.
 */
package org.mscclj.runtime.execution.lane;

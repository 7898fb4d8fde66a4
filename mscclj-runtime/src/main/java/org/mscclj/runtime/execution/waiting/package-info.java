/** Waits for launches: joins, timeouts, the progress of the other ranks, and ranks that have closed. */
package org.mscclj.runtime.execution.waiting;

/**
 * Streams and the threads that carry out their work. A stream is a queue of resumable
 * {@link org.mscclj.backend.host.schedule.Command}s; any thread that has a slot, a worker or a thread that waits for a
 * result, advances the commands that are not blocked.
 */
package org.mscclj.backend.host.schedule;

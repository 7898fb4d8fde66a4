/**
 * Streams and the threads that carry out their work. A stream is a queue of resumable
 * {@link org.mscclj.backend.host.schedule.Command}s; any thread that has a seat, a runner or one that waits for a
 * result, advances whatever can go on.
 */
package org.mscclj.backend.host.schedule;

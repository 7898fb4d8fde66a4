/**
 * Ranks that are processes: one communicator, with its own backend and control connections, and the communicators that
 * are split from it.
 */
package org.mscclj.runtime.process;

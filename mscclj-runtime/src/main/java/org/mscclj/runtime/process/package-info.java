/**
 * Ranks that are processes of their own: one communicator, with a backend and control connections of its own, and what
 * is split from it.
 */
package org.mscclj.runtime.process;

/**
 * The programs that ship with mscclj: plans of the common collectives for any number of ranks, written in
 * {@link org.mscclj.language} and compiled on demand.
 *
 * <p>Ranks drift: one may still run the launch before while another has begun the next. Therefore no rank accesses a
 * peer's buffer before that peer has launched, no rank ends while a peer may still access its buffers, and scratch is
 * overwritten only when its last content has certainly been read. Each class explains how.
 */
package org.mscclj.language.program;

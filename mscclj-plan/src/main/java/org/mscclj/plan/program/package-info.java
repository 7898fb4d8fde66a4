/**
 * The programs that ship with mscclj: plans of the common collectives for any number of ranks, written in
 * {@link org.mscclj.plan.language} and compiled when they are asked for.
 *
 * <p>Ranks drift: one may still be at work before this launch while another is well into the next. So nobody accesses a
 * peer's buffer before that rank has launched, nobody ends while a peer may still access its buffers, and scratch is
 * written again only when it is certain that its last contents have been read. Every class says how.
 */
package org.mscclj.plan.program;

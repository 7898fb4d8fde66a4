package org.mscclj.api;

import java.time.Instant;

/**
 * A fault that has ended a communicator on one rank. The rank is the one that reports the fault, which need not be the
 * one that caused it: the reason names the cause.
 *
 * @param time when this rank detected or received it
 * @param communicator the communicator's name
 * @param rank this rank of the communicator
 * @param kind the kind of fault
 * @param reason a description of what happened
 */
public record Fault(Instant time, String communicator, int rank, FaultKind kind, String reason) {}

package org.mscclj.api;

import java.time.Instant;

/**
 * What has ended a communicator on one rank, without anybody's wish. The rank is the one that tells, which need not be
 * the one to blame: the reason says who is.
 *
 * @param time when this rank heard of it
 * @param communicator the communicator's name
 * @param rank this rank of the communicator
 * @param kind what kind of fault
 * @param reason what happened, in words
 */
public record Fault(Instant time, String communicator, int rank, FaultKind kind, String reason) {}

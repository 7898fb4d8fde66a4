package org.mscclj.cli.tune;

/**
 * A candidate and its time.
 *
 * @param candidate the candidate
 * @param micros the median time of a launch on the slowest rank, in microseconds
 */
record TimedCandidate(Candidate candidate, double micros) {}

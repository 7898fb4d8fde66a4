package org.mscclj.conformance.suite;

import org.mscclj.conformance.scenario.TestCase;

/**
 * What became of a case.
 *
 * @param test the case
 * @param outcome what became of it
 * @param reason why, in one line; empty if it passed
 */
public record CaseResult(TestCase test, Outcome outcome, String reason) {}

package org.mscclj.conformance.suite;

import org.mscclj.conformance.scenario.TestCase;

/**
 * The result of a case.
 *
 * @param test the case
 * @param outcome its outcome
 * @param reason the reason, on one line; empty if it passed
 */
public record CaseResult(TestCase test, Outcome outcome, String reason) {}

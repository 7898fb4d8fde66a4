package org.mscclj.plan.verify;

import java.util.List;

/**
 * What verifying a plan came to.
 *
 * @param findings what speaks against the plan; empty if it is proved
 * @param equalBits whether all ranks that compute the same element get the same bits, if the plan is proved
 * @param notes what a reader should know although it is not wrong
 */
public record Verdict(List<Finding> findings, boolean equalBits, List<String> notes) {
    /** Copies the lists. */
    public Verdict {
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }

    /** Whether nothing can go wrong. */
    public boolean isProved() {
        return findings.isEmpty();
    }

    /** Whether something can go wrong. */
    public boolean isRefuted() {
        return findings.stream().anyMatch(finding -> finding.kind() != Finding.Kind.UNDECIDED);
    }
}

package org.mscclj.plan.verify;

import java.util.List;
import java.util.Set;

/**
 * What verifying a plan came to.
 *
 * @param findings what speaks against the plan; empty if it is proved
 * @param equalBits whether all ranks of an allreduce get the same bits, if the plan is proved; of other collectives it
 *     says nothing
 * @param roots the ranks for which a plan of a rooted collective does it, if it is proved; empty if the collective has
 *     no root
 * @param notes what a reader should know although it is not wrong
 */
public record Verdict(List<Finding> findings, boolean equalBits, Set<Integer> roots, List<String> notes) {
    /** Copies the lists. */
    public Verdict {
        findings = List.copyOf(findings);
        roots = Set.copyOf(roots);
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

    /** The verdict on a plan that is not proved. */
    static Verdict unproved(List<Finding> findings, List<String> notes) {
        return new Verdict(findings, false, Set.of(), notes);
    }
}

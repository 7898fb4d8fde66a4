package org.mscclj.analysis.verdict;

import java.util.List;
import java.util.Set;

/**
 * The result of a verification.
 *
 * @param findings the faults and undecided points; empty if the plan is proved
 * @param equalBits whether all ranks of an allreduce get equal bits, if the plan is proved; undefined for other
 *     collectives
 * @param roots the ranks as whose root a proved plan of a rooted collective works; empty if the collective has no root
 * @param notes remarks that are no faults
 */
public record Verdict(List<Finding> findings, boolean equalBits, Set<Integer> roots, List<String> notes) {
    /** Copies the lists. */
    public Verdict {
        findings = List.copyOf(findings);
        roots = Set.copyOf(roots);
        notes = List.copyOf(notes);
    }

    /** Whether the plan is proved. */
    public boolean isProved() {
        return findings.isEmpty();
    }

    /** Whether the plan is refuted. */
    public boolean isRefuted() {
        return findings.stream().anyMatch(finding -> finding.kind() != Finding.Kind.UNDECIDED);
    }

    /** The verdict on a plan that is not proved. */
    public static Verdict unproved(List<Finding> findings, List<String> notes) {
        return new Verdict(findings, false, Set.of(), notes);
    }
}

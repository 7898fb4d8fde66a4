package org.mscclj.conformance.rank;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The verdict of a rank about a case.
 *
 * @param rank the rank
 * @param digest a hash of its output's bits; 0 if there is none
 * @param findings the faults that it found; empty if none
 */
public record RankVerdict(int rank, long digest, List<Finding> findings) {
    /** Copies the list. */
    public RankVerdict {
        findings = List.copyOf(findings);
    }

    /** Returns the verdict about a rank that gave none. */
    public static RankVerdict hung(int rank, String why) {
        return new RankVerdict(rank, 0, List.of(new Finding(FindingKind.HUNG, why)));
    }

    /** Returns the verdict on one line, which {@link #parse} reads. */
    public String line() {
        StringBuilder line = new StringBuilder(rank + " " + Long.toHexString(digest));
        for (Finding finding : findings) {
            line.append(' ')
                    .append(finding.kind())
                    .append(':')
                    .append(Base64.getEncoder().encodeToString(finding.text().getBytes(StandardCharsets.UTF_8)));
        }
        return line.toString();
    }

    /**
     * Returns the verdict of a line.
     *
     * @throws InvalidArgumentException if the line is not one that {@link #line} makes
     */
    public static RankVerdict parse(String line) {
        try {
            String[] words = line.strip().split(" ", -1);
            List<Finding> findings = new ArrayList<>();
            for (int i = 2; i < words.length; i++) {
                int at = words[i].indexOf(':');
                findings.add(new Finding(
                        FindingKind.valueOf(words[i].substring(0, at)),
                        new String(Base64.getDecoder().decode(words[i].substring(at + 1)), StandardCharsets.UTF_8)));
            }
            return new RankVerdict(Integer.parseInt(words[0]), Long.parseUnsignedLong(words[1], 16), findings);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new InvalidArgumentException("\"" + line + "\" is not the verdict of a rank: " + e, e);
        }
    }
}

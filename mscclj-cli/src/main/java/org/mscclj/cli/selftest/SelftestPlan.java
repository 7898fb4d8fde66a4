package org.mscclj.cli.selftest;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a self-test is to do.
 *
 * @param kinds the parts
 * @param backend the backend's name; empty for the best one
 * @param ranks numbers of ranks, in ascending order
 * @param wheres where ranks live
 * @param plans files and folders of plans
 * @param except names of plans that are left out
 * @param peer what benchmarks are compared with
 * @param quick whether few types and small sizes are enough
 * @param output the folder for reports and logs
 */
record SelftestPlan(
        Set<PartKind> kinds,
        Optional<String> backend,
        List<Integer> ranks,
        List<Where> wheres,
        List<Path> plans,
        List<String> except,
        Optional<Peer> peer,
        boolean quick,
        Path output) {
    /** The same, compared with something else. */
    SelftestPlan withPeer(Peer other) {
        return new SelftestPlan(kinds, backend, ranks, wheres, plans, except, Optional.of(other), quick, output);
    }

    /** The path of a file in the folder. */
    String file(String name) {
        return output.resolve(name).toString();
    }
}

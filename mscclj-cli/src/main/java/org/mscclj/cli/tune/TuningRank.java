package org.mscclj.cli.tune;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.cli.perf.peer.RankPeer;
import org.mscclj.cli.ranks.RankSession;

/**
 * What the measurements of one rank share. Used by the rank's thread.
 *
 * @param peers the libraries to compare with
 * @param report receives the results of rank 0
 * @param warm the algorithms that have run; the first calls of the others take long, since the VM compiles their code
 */
record TuningRank(
        RankSession session,
        TuneSettings settings,
        List<RankPeer> peers,
        TuneReport report,
        Set<Optional<String>> warm) {
    TuningRank(RankSession session, TuneSettings settings, List<RankPeer> peers, TuneReport report) {
        this(session, settings, List.copyOf(peers), report, new HashSet<>());
    }

    /** Whether this rank writes the report. */
    boolean isFirst() {
        return session.rank() == 0;
    }
}

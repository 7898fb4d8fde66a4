package org.mscclj.conformance.group;

import java.util.List;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.TestCase;

/** A group of ranks that try one case after another. Used by one thread. */
public interface RankGroup extends AutoCloseable {
    /**
     * Tries a case on all ranks and waits for their verdicts, for a limited time. A rank that does not answer counts as
     * hung.
     *
     * @return one verdict for each rank, in order
     */
    List<RankVerdict> run(TestCase test, RankCheck check);

    /** Returns whether the group can try another case. */
    boolean isUsable();

    /**
     * Ends the ranks; does not wait for ranks that hang. Idempotent.
     *
     * @throws org.mscclj.api.error.MsccljException if ranks do not end, or report that they cannot
     */
    @Override
    void close();
}

package org.mscclj.conformance.group;

import java.util.List;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.TestCase;

/** Ranks that try one case after another. Used by one thread. */
public interface RankGroup extends AutoCloseable {
    /**
     * Tries a case on all ranks and waits for their verdicts, but not for ever: a rank that does not answer counts as
     * hung.
     *
     * @return one verdict for each rank, in order
     */
    List<RankVerdict> run(TestCase test, RankCheck check);

    /** Whether another case can be tried. */
    boolean isUsable();

    /**
     * Ends the ranks; does not wait for those that hang. Idempotent.
     *
     * @throws org.mscclj.api.error.MsccljException if ranks do not end, or say that they cannot
     */
    @Override
    void close();
}

package org.mscclj.runtime.communicator;

import java.util.List;
import java.util.function.Supplier;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

/**
 * Tells failures to make a child in the ranks of its parent: who called the parent knows no others.
 *
 * @param child the child's name
 * @param members its ranks, as ranks of the parent
 */
record ParentRanks(String child, List<Integer> members) {
    /** What the call gives. What it throws about ranks of the child is thrown about ranks of the parent. */
    <T> T tell(Supplier<T> call) {
        try {
            return call.get();
        } catch (RankLostException e) {
            int lost = members.get(e.rank());
            RankLostException told =
                    new RankLostException(lost, "rank " + lost + " is lost, which was to be rank " + e.rank() + of(e));
            told.initCause(e);
            throw told;
        } catch (OperationTimeoutException e) {
            List<Integer> missing = e.missingRanks().stream().map(members::get).toList();
            OperationTimeoutException told = new OperationTimeoutException(
                    "ranks " + missing + " are missing, which were to be ranks " + e.missingRanks() + of(e),
                    missing.stream().sorted().toList());
            told.initCause(e);
            throw told;
        }
    }

    private String of(MsccljException e) {
        return " of child \"" + child + "\" over ranks " + members + ": " + e.getMessage();
    }
}

package org.mscclj.runtime.communicator;

import java.util.List;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

/**
 * Translates failures of the creation of a child into ranks of its parent, because the caller of the parent knows no
 * others.
 *
 * @param child the child's name
 * @param members the child's ranks, as ranks of the parent
 */
record ParentRanks(String child, List<Integer> members) {
    /** Translates the exception that has ended the child. */
    MsccljException told(MsccljException e) {
        return switch (e) {
            case RankLostException lost -> told(lost);
            case OperationTimeoutException late ->
                told(late, late.missingRanks().stream().map(members::get).toList());
            default -> e;
        };
    }

    /** Translates the loss of a rank of the child. */
    RankLostException told(RankLostException e) {
        int lost = members.get(e.rank());
        RankLostException told =
                new RankLostException(lost, "rank " + lost + " is lost, which was to be rank " + e.rank() + of(e));
        told.initCause(e);
        return told;
    }

    /**
     * Translates a timeout in the child.
     *
     * @param blamed the ranks of the parent that are to blame; need not be members
     */
    OperationTimeoutException told(OperationTimeoutException e, List<Integer> blamed) {
        List<Integer> missing =
                e.missingRanks().stream().map(members::get).sorted().toList();
        List<Integer> named = blamed.stream().sorted().toList();
        OperationTimeoutException told = new OperationTimeoutException(
                "ranks " + missing + " are missing, which were to be ranks "
                        + missing.stream().map(members::indexOf).toList() + of(e)
                        + (named.equals(missing) ? "" : "; ranks " + named + " keep them waiting"),
                named);
        told.initCause(e);
        return told;
    }

    private String of(MsccljException e) {
        return " of child \"" + child + "\" over ranks " + members + ": " + e.getMessage();
    }
}

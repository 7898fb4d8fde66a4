package org.mscclj.runtime.execution.context;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.runtime.control.Message;

/**
 * What the ranks have reported of what they can do together, equal on all of them.
 *
 * @param unmapped the ranks that could not map the memory of all others on their node
 * @param multicast whether all of them can use hardware multicast
 */
public record PeerReports(List<Integer> unmapped, boolean multicast) {
    private static final int UNMAPPED = 1;
    private static final int MULTICAST = 2;

    /** Returns the report of a rank. */
    public static byte[] encode(boolean failed, boolean multicast) {
        return new byte[] {(byte) ((failed ? UNMAPPED : 0) | (multicast ? MULTICAST : 0))};
    }

    /** Returns what all ranks have reported. A report of another length counts as one of nothing that can be done. */
    public static PeerReports of(List<Message> reports) {
        return new PeerReports(
                IntStream.range(0, reports.size())
                        .filter(rank -> (flags(reports.get(rank)) & UNMAPPED) != 0)
                        .boxed()
                        .toList(),
                reports.stream().allMatch(report -> (flags(report) & MULTICAST) != 0));
    }

    private static int flags(Message report) {
        return report.bytes().length == 1 ? report.bytes()[0] : UNMAPPED;
    }
}

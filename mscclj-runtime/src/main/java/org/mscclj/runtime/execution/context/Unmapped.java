package org.mscclj.runtime.execution.context;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.runtime.control.Message;

/** How each rank reports whether it failed to map the memory of a rank of its node. */
public final class Unmapped {
    private Unmapped() {}

    /** Returns the report of a rank. */
    public static byte[] encode(boolean failed) {
        return new byte[] {(byte) (failed ? 1 : 0)};
    }

    /** Returns the ranks that failed, from the reports of all ranks. */
    public static List<Integer> ranks(List<Message> reports) {
        return IntStream.range(0, reports.size())
                .filter(rank -> !Arrays.equals(reports.get(rank).bytes(), encode(false)))
                .boxed()
                .toList();
    }
}

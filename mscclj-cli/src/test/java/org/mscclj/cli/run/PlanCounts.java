package org.mscclj.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.plan.Plan;

/** The counts with which a plan is tested, and the expected results. */
final class PlanCounts {
    /** Plans whose result depends on the schedule; they must only complete. */
    private static final String RACY = "committed_exec_reduce_tbg.json";

    private static final int ODD = 1237;

    private PlanCounts() {}

    /** Whether the results of a file's plan depend on the schedule. */
    static boolean isRacy(Path file) {
        return file.getFileName().toString().equals(RACY);
    }

    /** Four counts, small as far as the plan's limits allow; the second is odd, the last takes several pages. */
    static long[] of(Plan plan, CheckedCall one) {
        long unit = one.messageBytes();
        long least = Long.divideUnsigned(plan.minMessageSize() + unit - 1, unit);
        long most = Long.divideUnsigned(plan.maxMessageSize(), unit);
        List<Long> counts = new ArrayList<>();
        for (long count : new long[] {1, ODD, 2048, 12_000}) {
            long wanted = least + count;
            long inside = Long.compareUnsigned(most, wanted) < 0 ? most : wanted; // most may be 2^64 - 1
            counts.add(count == ODD && inside % 2 == 0 ? inside - 1 : inside);
        }
        return counts.stream().mapToLong(Long::longValue).toArray();
    }
}

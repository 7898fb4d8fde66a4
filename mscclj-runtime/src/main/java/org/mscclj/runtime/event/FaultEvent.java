package org.mscclj.runtime.event;

import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.mscclj.spi.engine.AbortCause;
import org.mscclj.spi.engine.AbortFlag;

/** An event for a communicator that is aborted, or has lost a rank. */
@Name("org.mscclj.Fault")
@Label("Fault")
@Description("A communicator is aborted on a rank: because a caller requests it, a rank is lost, an operation is"
        + " late, or a rank cannot go on")
@Category({"MSCCLJ", "Faults"})
@StackTrace(false)
final class FaultEvent extends Event {
    @Label("Communicator")
    @Description("The communicator's name")
    String communicator = "";

    @Label("Rank")
    @Description("The rank that tells, in its communicator")
    int rank;

    @Label("Kind")
    @Description("abort, lost, late or failed")
    String kind = "";

    @Label("Lost Rank")
    @Description("The rank that is lost; -1 if none is")
    int lostRank;

    @Label("Missing Ranks")
    @Description("The ranks that did not arrive at an operation that is late, with commas between them")
    String missingRanks = "";

    @Label("Reason")
    @Description("Why, in words")
    String reason = "";

    private FaultEvent() {}

    static void commit(String communicator, int rank, AbortFlag flag) {
        FaultEvent event = new FaultEvent();
        if (event.shouldCommit()) {
            event.fill(communicator, rank, flag);
            event.commit();
        }
    }

    private void fill(String name, int who, AbortFlag flag) {
        communicator = name;
        rank = who;
        kind = switch (flag.cause().orElse(AbortCause.REQUESTED)) {
            case REQUESTED -> "abort";
            case RANK_LOST -> "lost";
            case LATE -> "late";
            case FAILED -> "failed";
        };
        lostRank = flag.lostRank().orElse(-1);
        missingRanks = flag.missingRanks().orElse(List.of()).stream()
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        reason = flag.reason().orElse("");
    }
}

package org.mscclj.runtime.event;

import java.util.List;
import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;
import org.mscclj.runtime.dump.RankDump;
import org.mscclj.runtime.recorder.RecordedLaunch;

/** What our own recorder keeps, at the time of a dump: so that {@code jcmd PID JFR.dump} tells it. */
@Name("org.mscclj.KeptLaunch")
@Label("Kept Launch")
@Description(
        "A launch that the recorder of a communicator keeps when a recording is dumped, whether anything was recorded when it was made or not")
@Category({"MSCCLJ", "Operations"})
@Enabled(false)
@Period("endChunk")
@StackTrace(false)
final class KeptLaunchEvent extends Event {
    @Label("Communicator")
    @Description("The communicator's name")
    String communicator = "";

    @Label("Rank")
    @Description("The rank, in its communicator")
    int rank;

    @Label("Sequence")
    @Description("The launch's position among those of the communicator, from 1")
    long sequence;

    @Label("Operation")
    @Description("What was launched, in words that are equal on all ranks that make the same call")
    String operation = "";

    @Label("State")
    @Description("enqueued, started, completed or failed")
    String state = "";

    @Label("Enqueued")
    @Description("When it was enqueued")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long enqueued;

    private KeptLaunchEvent() {}

    static void commitAll(List<RankDump> dumps) {
        for (RankDump dump : dumps) {
            for (RecordedLaunch launch : dump.recorder().launches()) {
                KeptLaunchEvent event = new KeptLaunchEvent();
                event.communicator = dump.communicator();
                event.rank = dump.rank();
                event.sequence = launch.sequence();
                event.operation = launch.description().toString();
                event.state = launch.state().name().toLowerCase(Locale.ROOT);
                event.enqueued = launch.enqueued().toEpochMilli();
                event.commit();
            }
        }
    }
}

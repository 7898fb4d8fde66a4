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
import org.mscclj.runtime.recorder.DriverBudget;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.RecordedLaunch;

/**
 * A launch in mscclj's own flight recorder at the time of a dump of a recording, so that {@code jcmd PID JFR.dump}
 * includes it.
 */
@Name("org.mscclj.KeptLaunch")
@Label("Kept Launch")
@Description("A launch that the recorder of a communicator keeps when a recording is dumped, whether anything was"
        + " recorded when it was made or not")
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
    @Description("The launch's position among those that all ranks of the communicator make, from 1; of messages,"
            + " that of the last such launch before")
    long sequence;

    @Label("Messages")
    @Description("The position among the rank's launches of messages, which only some ranks make, from 1; 0 if all"
            + " ranks make the launch")
    long messages;

    @Label("Operation")
    @Description(
            "What was launched, in words that are equal on all ranks that make the same call; of messages, with peers")
    String operation = "";

    @Label("State")
    @Description("enqueued, started, completed, failed or unknown")
    String state = "";

    @Label("Enqueued")
    @Description("When it was enqueued")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long enqueued;

    private KeptLaunchEvent() {}

    static void commitAll(List<RankDump> dumps) {
        DriverBudget drivers = new DriverBudget(FlightRecorder.TIMEOUT);
        for (RankDump dump : dumps) {
            for (RecordedLaunch launch : dump.recorder().launches(drivers)) {
                KeptLaunchEvent event = new KeptLaunchEvent();
                event.communicator = dump.communicator();
                event.rank = dump.rank();
                event.sequence = launch.shared();
                event.messages = launch.place().messages() ? launch.sequence() : 0;
                event.operation = launch.text();
                event.state = launch.state().name().toLowerCase(Locale.ROOT);
                event.enqueued = launch.enqueued().toEpochMilli();
                event.commit();
            }
        }
    }
}

package org.mscclj.runtime.event;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.mscclj.runtime.dump.RankDump;
import org.mscclj.runtime.dump.RecordedDumps;
import org.mscclj.runtime.recorder.DriverBudget;
import org.mscclj.runtime.recorder.FlightRecorder;

/**
 * A part of a rank's dump, as JSON, at the time of a dump of a recording. {@link RecordedDumps} joins the parts,
 * because the size of an event is limited.
 */
@Name(RecordedDumps.EVENT)
@Label("Kept Dump")
@Description("A part of what mscclj debug dump would print of a rank when a recording is dumped; mscclj debug dump"
        + " FILE.jfr prints it")
@Category({"MSCCLJ", "Operations"})
@Enabled(false)
@Period("endChunk")
@StackTrace(false)
final class KeptDumpEvent extends Event {
    /**
     * The number of characters of a part. It fits the buffer of 8 KiB that the VM gives each thread, in any encoding.
     */
    private static final int PART_CHARACTERS = 2_000;

    private static final AtomicLong LAST_DUMP = new AtomicLong();

    @Label("Communicator")
    @Description("The communicator's name")
    String communicator = "";

    @Label("Communicator Id")
    @Description("Tells communicators of one name apart; equal on all ranks")
    String id = "";

    @Label("Rank")
    @Description("The rank, in its communicator")
    int rank;

    @Label("Dump")
    @Description("The dump's number among those of the process, from 1; later ones are greater")
    long dump;

    @Label("Part")
    @Description("The part's position in the dump, from 0")
    int part;

    @Label("Parts")
    @Description("How many parts the dump has")
    int parts;

    @Label("Text")
    @Description("The part of the JSON")
    String text = "";

    private KeptDumpEvent() {}

    static void commitAll(List<RankDump> dumps) {
        DriverBudget drivers = new DriverBudget(FlightRecorder.TIMEOUT);
        dumps.forEach(dump -> commit(dump, dump.json(drivers)));
    }

    private static void commit(RankDump dump, String json) {
        long number = LAST_DUMP.incrementAndGet();
        int parts = Math.ceilDiv(json.length(), PART_CHARACTERS);
        for (int part = 0; part < parts; part++) {
            KeptDumpEvent event = new KeptDumpEvent();
            event.communicator = dump.communicator();
            event.id = dump.identity().id();
            event.rank = dump.rank();
            event.dump = number;
            event.part = part;
            event.parts = parts;
            event.text = json.substring(part * PART_CHARACTERS, Math.min(json.length(), (part + 1) * PART_CHARACTERS));
            event.commit();
        }
    }
}

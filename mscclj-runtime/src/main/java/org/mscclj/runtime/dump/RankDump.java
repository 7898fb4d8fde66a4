package org.mscclj.runtime.dump;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;
import org.mscclj.runtime.control.OpenCall;
import org.mscclj.runtime.recorder.DriverBudget;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.RecordedLaunch;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.transfer.Transfer;

/**
 * The contents of the flight recorder of a rank, as JSON; {@code mscclj debug diff} reads it.
 *
 * @param identity the communicator
 * @param rank this rank
 * @param recorder the recorder of the launches
 * @param abort the communicator's abort word
 * @param openCall returns the call of set-up in which the rank waits for other ranks
 */
public record RankDump(
        CommunicatorIdentity identity,
        int rank,
        FlightRecorder recorder,
        AbortFlag abort,
        Supplier<Optional<OpenCall>> openCall) {
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    /** Returns the communicator's name. */
    public String communicator() {
        return identity.name();
    }

    /** Writes the identity of the rank, and its progress. */
    private void writeHead(JsonWriter json) {
        json.field("communicator", identity.name())
                .field("id", identity.id())
                .integers("worldRanks", identity.worldRanks())
                .field("rank", rank)
                .field("size", identity.worldRanks().size())
                .field("pid", ProcessHandle.current().pid())
                .field("host", host())
                .field("time", Instant.now().toString())
                .field("launches", recorder.taken())
                .field("completed", recorder.completed());
    }

    /**
     * Returns the name of this host; empty if the system cannot return it without asking other hosts, which may not
     * answer.
     */
    private static String host() {
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException _) {
            return "";
        }
    }

    /** Writes an object. Waits for drivers no longer than {@code drivers} allows. */
    private void write(JsonWriter json, DriverBudget drivers) {
        json.beginObject();
        writeHead(json);
        abort.reason().ifPresent(reason -> json.field("aborted", reason));
        openCall.get()
                .ifPresent(call -> json.beginObject("controlCall")
                        .field("what", call.what())
                        .field("since", call.since().toString())
                        .end());
        json.beginArray("entries");
        List<RecordedLaunch> launches = recorder.launches(drivers);
        launches.stream().filter(launch -> !launch.place().messages()).forEach(launch -> write(json, launch));
        json.end().beginArray("messages");
        launches.stream().filter(launch -> launch.place().messages()).forEach(launch -> writeMessages(json, launch));
        json.end().end();
    }

    /**
     * Writes point-to-point launches. They have no number that other ranks know, and contain the number of the last
     * launch before them that has one.
     */
    private static void writeMessages(JsonWriter json, RecordedLaunch launch) {
        json.beginObject()
                .field("number", launch.sequence())
                .field("after", launch.shared())
                .field("words", launch.text())
                .field("operation", launch.description().operation())
                .field("bytes", launch.description().bytes());
        launch.transfers().ifPresent(transfers -> writeTransfers(json, transfers));
        writeState(json, launch);
    }

    private static void writeTransfers(JsonWriter json, List<Transfer> transfers) {
        json.beginArray("transfers");
        for (Transfer transfer : transfers) {
            json.beginObject()
                    .field("sends", transfer.sends())
                    .field("peer", transfer.peer())
                    .field("bytes", transfer.bytes())
                    .end();
        }
        json.end();
    }

    private static void write(JsonWriter json, RecordedLaunch launch) {
        json.beginObject()
                .field("sequence", launch.sequence())
                .field("words", launch.text())
                .field("operation", launch.description().operation())
                .field("type", launch.description().type())
                .field("reduction", launch.description().reduction())
                .field("root", launch.description().root())
                .field("bytes", launch.description().bytes())
                .field("inPlace", launch.description().inPlace())
                .field("algorithm", launch.description().algorithm());
        launch.transfers().ifPresent(transfers -> writeTransfers(json, transfers));
        writeState(json, launch);
    }

    private static void writeState(JsonWriter json, RecordedLaunch launch) {
        json.field("state", launch.state().name().toLowerCase(Locale.ROOT))
                .field("enqueued", launch.enqueued().toString());
        if (launch.replay()) {
            json.field("replay", true);
        }
        launch.unknown().ifPresent(why -> json.field("unknown", why));
        launch.seenStarted().ifPresent(time -> json.field("seenStarted", time.toString()));
        launch.seenEnded().ifPresent(time -> json.field("seenEnded", time.toString()));
        json.end();
    }

    /** Returns the dump as text. */
    @Override
    public String toString() {
        return text(new DriverBudget(FlightRecorder.TIMEOUT)) + "\n";
    }

    /**
     * Returns the dump without a line break; if the communicator cannot be dumped, the reason. Waits for drivers no
     * longer than {@code drivers} allows.
     */
    public String json(DriverBudget drivers) {
        try {
            return text(drivers);
        } catch (RuntimeException | Error e) {
            JsonWriter json = new JsonWriter(JsonLayout.LINES).beginObject();
            writeHead(json);
            return json.field("error", e.toString()).end().toString();
        }
    }

    private String text(DriverBudget drivers) {
        JsonWriter json = new JsonWriter(JsonLayout.LINES);
        write(json, drivers);
        return json.toString();
    }
}

package org.mscclj.runtime.dump;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads the dumps that a recording of JDK Flight Recorder has: each time it is dumped, and each time the VM begins
 * another part of its file, it gets one of each rank, in parts. Of the dumps of a rank the last counts.
 */
public final class RecordedDumps {
    /** The event that is a part of a dump. */
    public static final String EVENT = "org.mscclj.KeptDump";

    /** The dumps of each rank, by number. */
    private final Map<Rank, TreeMap<Long, Parts>> dumps = new LinkedHashMap<>();

    private RecordedDumps() {}

    /** A rank of a communicator, which has a name for messages. */
    private record Rank(String id, int rank, String communicator) {}

    /** What there is of a dump. */
    private static final class Parts {
        private final String[] texts;
        private int missing;

        Parts(int count) {
            this.texts = new String[count];
            this.missing = count;
        }

        void put(int part, String text) {
            missing -= texts[part] == null ? 1 : 0;
            texts[part] = text;
        }

        boolean isWhole() {
            return missing == 0;
        }

        String text() {
            return String.join("", texts);
        }
    }

    /**
     * The last dump of each rank of each communicator, as JSON.
     *
     * @param leftOut is told of ranks of whose last dump the recording has lost parts, in words
     * @throws IOException if the file is not there, or no recording
     */
    public static List<String> read(Path recording, Consumer<String> leftOut) throws IOException {
        Objects.requireNonNull(leftOut, "leftOut");
        if (!Files.exists(recording)) {
            throw new NoSuchFileException(recording.toString());
        }
        RecordedDumps reading = new RecordedDumps();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals(EVENT)) {
                    reading.add(event);
                }
            }
        }
        return reading.texts(leftOut);
    }

    /** Parts may come in any order. Those before a whole dump are of no use any more. */
    private void add(RecordedEvent event) {
        Rank rank = new Rank(event.getString("id"), event.getInt("rank"), event.getString("communicator"));
        TreeMap<Long, Parts> ofRank = dumps.computeIfAbsent(rank, _ -> new TreeMap<>());
        long number = event.getLong("dump");
        Parts parts = ofRank.computeIfAbsent(number, _ -> new Parts(event.getInt("parts")));
        parts.put(event.getInt("part"), event.getString("text"));
        if (parts.isWhole()) {
            ofRank.headMap(number).clear();
        }
    }

    private List<String> texts(Consumer<String> leftOut) {
        List<String> texts = new ArrayList<>();
        dumps.forEach((rank, ofRank) -> {
            Optional<Parts> last = ofRank.descendingMap().values().stream()
                    .filter(Parts::isWhole)
                    .findFirst();
            last.ifPresent(parts -> texts.add(parts.text()));
            if (!ofRank.lastEntry().getValue().isWhole()) {
                leftOut.accept("rank " + rank.rank() + " of " + rank.communicator()
                        + ": the recording has lost parts of its "
                        + (last.isPresent() ? "last dump, so an earlier one stands for it" : "dump")
                        + "; record with a greater maxsize");
            }
        });
        return texts;
    }
}

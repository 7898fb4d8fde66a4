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
 * Reads the dumps in a recording of JDK Flight Recorder. Each time that the recording is dumped, and each time that the
 * VM begins another part of its file, one dump of each rank is added, in parts. Of the dumps of a rank, the last one
 * counts.
 */
public final class RecordedDumps {
    /** The name of the event that is a part of a dump. */
    public static final String EVENT = "org.mscclj.KeptDump";

    /** The dumps of each rank, by number. */
    private final Map<Rank, TreeMap<Long, Parts>> dumps = new LinkedHashMap<>();

    private RecordedDumps() {}

    /** A rank of a communicator; the name of the communicator is for messages. */
    private record Rank(String id, int rank, String communicator) {}

    /** The parts of a dump that were read. */
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
     * Returns the last dump of each rank of each communicator, as JSON.
     *
     * @param leftOut receives a message for each rank of whose last dump the recording has lost parts
     * @throws IOException if the file does not exist, or is not a recording
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

    /** Adds a part. Parts may come in any order. Parts of dumps before a complete one are no longer needed. */
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

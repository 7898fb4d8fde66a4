package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.spi.Feature;

/** The phases of a communicator's life in which ranks are harmed. */
enum Phase {
    /** A rank never joins, or is harmed before it joins. */
    BEFORE_RENDEZVOUS(1, "before the rendezvous", Course.OPENING, 0, 20, _ -> false),
    /** A rank has joined, and another one has not. */
    RENDEZVOUS(2, "in the rendezvous", Course.OPENING, 50, 300, _ -> false),
    /** Ranks connect to each other. */
    MESH(3, "while ranks connect", Course.OPENING, 0, 60, _ -> false),
    /** Ranks compare their settings, and map each other's memory. */
    SET_UP(4, "in the set-up of memory", Course.OPENING, 20, 160, _ -> false),
    /** The first call of a signature. */
    FIRST_CALL(5, "in a first call", Course.FIRST_CALL, 0, 80, Phase::isFirst),
    /** Collectives. */
    COLLECTIVE(6, "in a collective", Course.OPERATION, 0, 60, Phase::isEager),
    /** Launches of prepared operations, and replays of graphs. */
    REPLAY(7, "in replays", Course.OPERATION, 0, 60, Phase::isReplay),
    /** Point-to-point operations, and collectives that consist of them. */
    MESSAGES(8, "in messages", Course.OPERATION, 0, 60, Phase::isOfMessages),
    /** Accesses to windows. */
    WINDOW(9, "in accesses to a window", Course.OPERATION, 0, 60, Phase::isOfWindows),
    /** Splits. */
    SPLIT(10, "in a split", Course.OPERATION, 0, 60, "split"::equals),
    /** Collective allocations of memory, and windows. */
    ALLOCATION(11, "in an allocation", Course.OPERATION, 0, 60, List.of("allocate", "open-window")::contains),
    /** Barriers, and collectives of objects. */
    BARRIER(12, "in a barrier", Course.OPERATION, 0, 60, List.of("barrier", "barrier-of-streams", "objects")::contains),
    /** Ranks close their communicators. */
    CLOSE(13, "in close", Course.CLOSING, 0, 40, _ -> false);

    /** The way in which ranks enter a phase. */
    enum Course {
        /** They open a communicator. */
        OPENING,
        /** They make the first call of a communicator. */
        FIRST_CALL,
        /** They repeat an operation. */
        OPERATION,
        /** They close a communicator. */
        CLOSING
    }

    private static final String WINDOW_NAME = "window";

    private final int number;
    private final String title;
    private final Course course;
    private final int firstMillis;
    private final int lastMillis;
    private final Predicate<String> operations;

    Phase(int number, String title, Course course, int firstMillis, int lastMillis, Predicate<String> operations) {
        this.number = number;
        this.title = title;
        this.course = course;
        this.firstMillis = firstMillis;
        this.lastMillis = lastMillis;
        this.operations = operations;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%02d %s", number, title);
    }

    Course course() {
        return course;
    }

    /** Draws a time after the announcement of a rank, in milliseconds. */
    double moment(double fraction) {
        return firstMillis + fraction * (lastMillis - firstMillis);
    }

    /** Returns the names of the operations that ranks repeat in this phase, for the features of a backend. */
    List<String> operations(Set<Feature> features) {
        return Stream.concat(Operations.names(features).stream(), Stream.of("objects"))
                .filter(operations)
                .toList();
    }

    private static boolean isReplay(String name) {
        return !isOfMessages(name)
                && !isOfWindows(name)
                && (name.startsWith("prepared-") || name.startsWith("replayed-"));
    }

    private static boolean isOfMessages(String name) {
        return name.endsWith("messages") || name.endsWith("-of-parts");
    }

    private static boolean isOfWindows(String name) {
        return (name.endsWith(WINDOW_NAME) && !name.equals("open-window")) || name.endsWith("window-get");
    }

    private static boolean isEager(String name) {
        return List.of(
                        "allreduce",
                        "broadcast",
                        "reduce",
                        "allgather",
                        "reducescatter",
                        "alltoall",
                        "gather",
                        "scatter")
                .contains(name);
    }

    private static boolean isFirst(String name) {
        return isEager(name) || name.equals("prepare");
    }
}

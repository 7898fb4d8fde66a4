package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.control.Wire;

/**
 * The messages between the ranks and rank 0 at the rendezvous. A rank sends {@link Came} when it comes. When all ranks
 * have come, rank 0 sends {@link Everybody} with the addresses of all ranks. A rank sends {@link Connected} when it is
 * connected to all others. When all ranks are, rank 0 sends {@link Formed}. Instead of any of these, either side may
 * send {@link Failed} with the reason why the group does not form.
 */
sealed interface Registration {
    /** The highest port of TCP. */
    int HIGHEST_PORT = 65_535;

    /** A rank has come: the port on which it listens, and the longest time that it will wait. */
    record Came(int controlPort, Duration timeout) implements Registration {
        public Came {
            requirePort(controlPort);
        }
    }

    /**
     * All ranks have come: where each listens, by rank. Rank 0 needs no address, because all ranks are connected to it.
     */
    record Everybody(List<Place> places) implements Registration {}

    /** A rank is connected to all other ranks. */
    record Connected() implements Registration {}

    /**
     * All ranks are connected to all others: the last message of rank 0. From here on the socket belongs to the mesh.
     */
    record Formed() implements Registration {}

    /** The group does not form. */
    record Failed(Failure failure, List<Integer> ranks, String message) implements Registration {
        /** Returns the message for an exception; empty if the exception concerns only its own rank. */
        static Optional<Failed> of(RuntimeException e) {
            String message = String.valueOf(e.getMessage());
            return switch (e) {
                case OperationTimeoutException timedOut ->
                    Optional.of(new Failed(Failure.MISSING, timedOut.missingRanks(), message));
                case RankLostException lost -> Optional.of(new Failed(Failure.LOST, List.of(lost.rank()), message));
                default -> Optional.empty();
            };
        }

        /** Returns the exception that the receiving rank throws. */
        RuntimeException exception() {
            return switch (failure) {
                case MISSING -> new OperationTimeoutException(message, ranks);
                case LOST -> new RankLostException(ranks.getFirst(), message);
                case REFUSED -> new InvalidArgumentException("rank 0 says: " + message);
            };
        }
    }

    /** A reason why a group does not form. */
    enum Failure {
        /** Ranks did not come, or could not be reached, in time. */
        MISSING,
        /** A rank came, and is lost. */
        LOST,
        /** The receiving rank is not admitted to the group. */
        REFUSED
    }

    /** Where a rank listens: its address as rank 0 sees it, and its port. */
    record Place(InetAddress host, int port) {
        public Place {
            requirePort(port);
        }
    }

    private static void requirePort(int port) {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("port " + port + " is none of 0 to " + HIGHEST_PORT);
        }
    }

    static byte[] encode(Registration registration) {
        return Wire.encode(out -> {
            switch (registration) {
                case Came came -> {
                    out.writeByte('C');
                    out.writeInt(came.controlPort);
                    out.writeLong(came.timeout.toMillis());
                }
                case Everybody everybody -> {
                    out.writeByte('E');
                    out.writeInt(everybody.places.size());
                    for (Place place : everybody.places) {
                        Wire.writeBytes(out, place.host.getAddress());
                        out.writeInt(place.port);
                    }
                }
                case Connected() -> out.writeByte('A');
                case Formed() -> out.writeByte('G');
                case Failed failed -> {
                    out.writeByte('F');
                    out.writeUTF(failed.failure.name());
                    Wire.writeRanks(out, failed.ranks);
                    Wire.writeText(out, failed.message);
                }
            }
        });
    }

    static Registration decode(byte[] bytes) throws IOException {
        try {
            return Wire.decode(bytes, in -> switch (in.readByte()) {
                case 'C' -> new Came(in.readInt(), Duration.ofMillis(in.readLong()));
                case 'E' -> {
                    List<Place> places = new ArrayList<>();
                    for (int left = in.readInt(); left > 0; left--) {
                        places.add(new Place(InetAddress.getByAddress(Wire.readBytes(in)), in.readInt()));
                    }
                    yield new Everybody(places);
                }
                case 'A' -> new Connected();
                case 'G' -> new Formed();
                case 'F' -> {
                    Failure failure = Failure.valueOf(in.readUTF());
                    List<Integer> ranks = Wire.readRanks(in);
                    if (failure == Failure.LOST && ranks.isEmpty()) {
                        throw new IOException("no rank is named that is lost");
                    }
                    yield new Failed(failure, ranks, in.readUTF());
                }
                default -> throw new IOException("of unknown kind");
            });
        } catch (RuntimeException e) {
            throw new IOException("at the rendezvous " + e.getMessage(), e);
        }
    }
}

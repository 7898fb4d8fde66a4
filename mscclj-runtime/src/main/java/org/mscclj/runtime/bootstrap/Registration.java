package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.control.Wire;

/** What ranks and rank 0 tell each other at the rendezvous. */
sealed interface Registration {
    /** A rank has come; it listens on a port, and will wait no longer than this. */
    record Came(int controlPort, Duration patience) implements Registration {}

    /** All ranks have come; where each listens, by rank. Rank 0 needs no address, since all are connected to it. */
    record Everybody(List<Place> places) implements Registration {}

    /** The group does not form. */
    record Failed(Optional<List<Integer>> missing, String message) implements Registration {}

    /** Where a rank listens; the address is as rank 0 sees it. */
    record Place(InetAddress host, int port) {}

    static byte[] encode(Registration registration) {
        return Wire.encode(out -> {
            switch (registration) {
                case Came came -> {
                    out.writeByte('C');
                    out.writeInt(came.controlPort);
                    out.writeLong(came.patience.toMillis());
                }
                case Everybody everybody -> {
                    out.writeByte('E');
                    out.writeInt(everybody.places.size());
                    for (Place place : everybody.places) {
                        Wire.writeBytes(out, place.host.getAddress());
                        out.writeInt(place.port);
                    }
                }
                case Failed failed -> {
                    out.writeByte('F');
                    List<Integer> missing = failed.missing.orElse(List.of());
                    out.writeBoolean(failed.missing.isPresent());
                    out.writeInt(missing.size());
                    for (int rank : missing) {
                        out.writeInt(rank);
                    }
                    out.writeUTF(failed.message);
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
                case 'F' -> {
                    boolean known = in.readBoolean();
                    List<Integer> missing = new ArrayList<>();
                    for (int left = in.readInt(); left > 0; left--) {
                        missing.add(in.readInt());
                    }
                    yield new Failed(known ? Optional.of(missing) : Optional.empty(), in.readUTF());
                }
                default -> throw new IOException("of unknown kind");
            });
        } catch (RuntimeException e) {
            throw new IOException("a message at the rendezvous is malformed; is it another version of mscclj?", e);
        }
    }
}

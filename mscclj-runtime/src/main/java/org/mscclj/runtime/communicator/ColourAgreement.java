package org.mscclj.runtime.communicator;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;

/** Finds out which ranks pass an equal colour to a split, and their order. */
final class ColourAgreement {
    private ColourAgreement() {}

    /** The arguments of a rank. */
    private record Choice(int colour, int key) {}

    /**
     * Returns the ranks of this rank's colour, ordered by their keys, and by their numbers where keys are equal.
     * Collective.
     *
     * @return an empty list if this rank takes no part
     * @throws InvalidArgumentException on every rank, if a rank passes an invalid colour
     */
    static List<Integer> members(ControlPlane control, int colour, int key) {
        List<Message> all = Exchange.gather(control, Topic.of(TopicKind.SPLIT_BY_COLOUR), () -> {
            if (colour < Communicator.NO_COLOUR) {
                throw InvalidArgumentException.of(
                        "split: the colour", colour, "0 or more, or " + Communicator.NO_COLOUR + " to take no part");
            }
            return Wire.encode(out -> {
                out.writeInt(colour);
                out.writeInt(key);
            });
        });
        List<Choice> choices = Wire.decodeAll(
                all, Choice.class, message -> Wire.decode(message, in -> new Choice(in.readInt(), in.readInt())));
        return colour == Communicator.NO_COLOUR
                ? List.of()
                : IntStream.range(0, choices.size())
                        .filter(rank -> choices.get(rank).colour() == colour)
                        .boxed()
                        .sorted(Comparator.comparingInt(
                                rank -> choices.get(rank).key())) // a stable sort
                        .toList();
    }
}

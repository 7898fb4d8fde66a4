package org.mscclj.runtime.collective;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.Staged;
import org.mscclj.runtime.fallback.FallbackSetting;
import org.mscclj.runtime.selection.Choice;
import org.mscclj.runtime.signature.ChoiceSignature;

/**
 * The selection of an algorithm on this rank, which ranks compare, and the set-up of that algorithm.
 *
 * @param <T> what is set up
 */
final class StagedChoice<T> implements Staged<T> {
    private final Supplier<Choice> choosing;
    private final Consumer<Choice> agreed;
    private final Function<Choice, Staged<T>> staging;
    private @Nullable Choice choice;
    private @Nullable Staged<T> staged;

    /** The contribution of a rank. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(byte[] choice, Message staged) {
        byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeBytes(out, choice);
                Wire.writeBytes(out, staged.bytes());
            });
        }

        static Part decode(byte[] message) {
            return Wire.decode(message, in -> new Part(Wire.readBytes(in), Wire.readMessage(in)));
        }
    }

    /**
     * Creates a selection to be made.
     *
     * @param choosing selects an algorithm; if it throws, the call is refused on every rank
     * @param agreed the common action of the ranks when they know that their selections are equal
     * @param staging makes this rank's part of the set-up of the selected algorithm
     */
    StagedChoice(Supplier<Choice> choosing, Consumer<Choice> agreed, Function<Choice, Staged<T>> staging) {
        this.choosing = choosing;
        this.agreed = agreed;
        this.staging = staging;
    }

    @Override
    public byte[] describe() {
        Choice chosen = choosing.get();
        Staged<T> part = staging.apply(chosen);
        choice = chosen;
        staged = part;
        return new Part(chosen.signature().encode(), new Message(part.describe())).encode();
    }

    /**
     * Compares the selections, and completes the set-up.
     *
     * @throws InvalidArgumentException on every rank, if selections differ; names the ranks
     */
    @Override
    public T finish(List<Message> described) {
        List<Part> parts = Wire.decodeAll(described, Part.class, Part::decode);
        Differences.among(
                        parts.stream().map(Part::choice).toArray(byte[][]::new),
                        signature -> ChoiceSignature.decode(signature).describe())
                .ifPresent(choices -> {
                    throw new InvalidArgumentException("ranks choose different algorithms: " + choices
                            + "; on all ranks, register the same plans and native algorithms, in the same order,"
                            + " set selectors that decide alike, give the same collectives to the fallback ("
                            + FallbackSetting.VARIABLE + "), and install the same fallback");
                });
        agreed.accept(Objects.requireNonNull(choice, "chosen before"));
        return Objects.requireNonNull(staged, "described before")
                .finish(parts.stream().map(Part::staged).toList());
    }

    @Override
    public void abandon(Throwable cause) {
        Staged<T> part = staged;
        if (part != null) {
            part.abandon(cause);
        }
    }
}

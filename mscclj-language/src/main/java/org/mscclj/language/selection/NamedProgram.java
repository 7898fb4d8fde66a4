package org.mscclj.language.selection;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/**
 * A shipped program that a call names: {@code packets}, or {@code packets@8} for eight thread blocks of each rank.
 *
 * @param program the program
 * @param blocks thread blocks of each rank; empty for the number that is best for the size of the message
 */
public record NamedProgram(ShippedProgram program, OptionalInt blocks) {
    private static final char BLOCKS = '@';

    /**
     * Returns the program that a name means; empty if it means none.
     *
     * @throws InvalidArgumentException if the name has a program, and its number of blocks is no number
     */
    public static Optional<NamedProgram> find(String name) {
        int end = name.indexOf(BLOCKS);
        String label = end < 0 ? name : name.substring(0, end);
        return Stream.of(ShippedProgram.values())
                .filter(program -> program.label().equals(label))
                .findFirst()
                .map(program -> new NamedProgram(
                        program,
                        end < 0 ? OptionalInt.empty() : OptionalInt.of(number(name, name.substring(end + 1)))));
    }

    private static int number(String name, String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(
                    "the algorithm is \"" + name + "\"; allowed behind " + BLOCKS + ": a number of thread blocks", e);
        }
    }

    /** Returns the choice for a message, as {@link ProgramChoice#named}. */
    public Optional<ProgramChoice> choice(
            ProgramSpec spec, long messageBytes, SelectionContext context, List<String> refusals) {
        return ProgramChoice.named(program, spec, messageBytes, context, refusals)
                .map(choice ->
                        blocks.isPresent() ? new ProgramChoice(program, spec.blocks(blocks.getAsInt())) : choice);
    }
}

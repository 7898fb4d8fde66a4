package org.mscclj.language.selection;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/**
 * A shipped program that a call names: {@code packets}, or {@code packets@8} for eight thread blocks of each rank.
 *
 * @param program the program
 * @param size thread blocks of each rank; 0 for the number that is best for the size of the message
 */
public record NamedProgram(ShippedProgram program, LaunchSize size) {
    /**
     * Returns the program that a name means; empty if it means none.
     *
     * @throws InvalidArgumentException if the name has a program, and its number of blocks is no number
     */
    public static Optional<NamedProgram> find(String name) {
        return Stream.of(ShippedProgram.values())
                .filter(program -> program.label().equals(LaunchSize.base(name)))
                .findFirst()
                .map(program -> new NamedProgram(program, LaunchSize.of(name)));
    }

    /** Returns the choice for a message, as {@link ProgramChoice#named}. */
    public Optional<ProgramChoice> choice(
            ProgramSpec spec, long messageBytes, SelectionContext context, List<String> refusals) {
        if (size.threadsPerBlock() != 0) {
            refusals.add(program.label() + ": " + size.threadsPerBlock()
                    + " threads per block are asked for, and the engine chooses their number; leave it 0");
            return Optional.empty();
        }
        return ProgramChoice.named(program, spec, messageBytes, context, refusals)
                .map(choice -> size.blocks() == 0 ? choice : new ProgramChoice(program, spec.blocks(size.blocks())));
    }
}

package org.mscclj.language.selection;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/**
 * A shipped program that a call names: {@code packets}; {@code packets@8} for eight thread blocks of each rank;
 * {@code packets@8x256} for blocks of at most 256 threads, on GPUs.
 *
 * @param program the program
 * @param size thread blocks of each rank, 0 for the number that is best for the size of the message; and their threads
 */
public record NamedProgram(ShippedProgram program, LaunchSize size) {
    /**
     * Returns the program that a name means; empty if it means none.
     *
     * @throws InvalidArgumentException if the name has a program, and what follows is no size
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
        return ProgramChoice.named(program, spec, messageBytes, context, refusals)
                .map(choice -> new ProgramChoice(
                        program,
                        spec.blocks(size.blocks() == 0 ? choice.spec().blocks() : size.blocks())
                                .threads(size.threadsPerBlock())));
    }
}

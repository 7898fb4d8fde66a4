package org.mscclj.plan.program;

import java.util.List;
import java.util.Optional;

/**
 * A shipped program, and what it is made for. Chosen here for communicators, and for those who tell what communicators
 * choose.
 *
 * @param program the program
 * @param spec what it is made for
 */
public record ProgramChoice(ShippedProgram program, ProgramSpec spec) {
    /**
     * The program that serves a message best.
     *
     * @param spec what is asked for; the choice decides on the number of blocks
     * @param messageBytes size of the message: the output's for allgather, the input's otherwise
     * @param refusals gets why each of the programs that come before was refused
     * @return empty if none can
     */
    public static Optional<ProgramChoice> best(
            ProgramSpec spec, long messageBytes, Surroundings surroundings, List<String> refusals) {
        boolean direct =
                PlanNeeds.of(ShippedProgram.DIRECT).missing(surroundings).isEmpty();
        for (ShippedProgram program :
                surroundings.preference().order(spec.collective(), messageBytes, spec.ranks(), direct)) {
            Optional<ProgramChoice> choice = named(program, spec, messageBytes, surroundings, refusals);
            if (choice.isPresent()) {
                return choice;
            }
        }
        return Optional.empty();
    }

    /**
     * A certain program.
     *
     * @param spec what is asked for; the choice decides on the number of blocks
     * @param messageBytes size of the message
     * @param refusals gets why the program is refused, if it is
     * @return empty if it cannot serve
     */
    public static Optional<ProgramChoice> named(
            ShippedProgram program,
            ProgramSpec spec,
            long messageBytes,
            Surroundings surroundings,
            List<String> refusals) {
        Optional<String> refusal = refusal(program, spec, surroundings);
        if (refusal.isPresent()) {
            refusals.add(program.label() + ": " + refusal.get());
            return Optional.empty();
        }
        int blocks = surroundings.preference().blocks(program, spec, messageBytes);
        return Optional.of(new ProgramChoice(program, spec.blocks(blocks)));
    }

    private static Optional<String> refusal(ShippedProgram program, ProgramSpec spec, Surroundings surroundings) {
        if (program.mappedPeers() == MappedPeers.SAME_NODE
                && surroundings.unequalNodes().isPresent()) {
            return surroundings.unequalNodes();
        }
        return program.refusal(spec).or(() -> PlanNeeds.of(program).missing(surroundings));
    }
}

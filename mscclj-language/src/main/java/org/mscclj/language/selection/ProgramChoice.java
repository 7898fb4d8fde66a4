package org.mscclj.language.selection;

import java.util.List;
import java.util.Optional;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.preference.SelectionRow;

/**
 * A shipped program and its specification. Communicators choose with this class, and so do tools that report their
 * choices.
 *
 * @param program the program
 * @param spec specification of the program
 */
public record ProgramChoice(ShippedProgram program, ProgramSpec spec) {
    /**
     * The best program for a message: the one of the table, or else the first one of the ranking that is not refused.
     *
     * @param spec the request; the choice decides the number of blocks
     * @param messageBytes message size in bytes: that of the output for allgather, that of the input otherwise
     * @param refusals receives the reason for each refused program that precedes the choice
     * @return empty if no program can serve the message
     */
    public static Optional<ProgramChoice> best(
            ProgramSpec spec, long messageBytes, SelectionContext context, List<String> refusals) {
        boolean direct = PlanNeeds.of(ShippedProgram.DIRECT).missing(context).isEmpty();
        Optional<ProgramChoice> measured = context.preference()
                .table()
                .find(spec.collective(), spec.ranks(), direct, messageBytes)
                .flatMap(row -> of(row, spec, context, refusals));
        if (measured.isPresent()) {
            return measured;
        }
        for (ShippedProgram program :
                new ProgramRanking(context.preference()).order(spec.collective(), messageBytes, spec.ranks(), direct)) {
            Optional<ProgramChoice> choice = named(program, spec, messageBytes, context, refusals);
            if (choice.isPresent()) {
                return choice;
            }
        }
        return Optional.empty();
    }

    private static Optional<ProgramChoice> of(
            SelectionRow row, ProgramSpec spec, SelectionContext context, List<String> refusals) {
        ShippedProgram program = ShippedProgram.parse(row.program());
        Optional<String> refusal = refusal(program, spec, context);
        refusal.ifPresent(reason -> refusals.add(program.label() + ": " + reason));
        return refusal.isPresent()
                ? Optional.empty()
                : Optional.of(new ProgramChoice(program, spec.blocks(row.blocks())));
    }

    /**
     * A given program.
     *
     * @param spec the request; the choice decides the number of blocks
     * @param messageBytes message size in bytes
     * @param refusals receives the reason if the program is refused
     * @return empty if the program is refused
     */
    public static Optional<ProgramChoice> named(
            ShippedProgram program,
            ProgramSpec spec,
            long messageBytes,
            SelectionContext context,
            List<String> refusals) {
        Optional<String> refusal = refusal(program, spec, context);
        if (refusal.isPresent()) {
            refusals.add(program.label() + ": " + refusal.get());
            return Optional.empty();
        }
        int blocks = new ProgramRanking(context.preference()).blocks(program, spec, messageBytes);
        return Optional.of(new ProgramChoice(program, spec.blocks(blocks)));
    }

    private static Optional<String> refusal(ShippedProgram program, ProgramSpec spec, SelectionContext context) {
        if (program.mappedPeers() == MappedPeers.SAME_NODE
                && context.unequalNodes().isPresent()) {
            return context.unequalNodes();
        }
        return program.refusal(spec).or(() -> PlanNeeds.of(program).missing(context));
    }
}

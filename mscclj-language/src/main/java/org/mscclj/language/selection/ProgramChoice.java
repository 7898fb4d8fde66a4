package org.mscclj.language.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.layout.ScratchNeed;
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
     * Tables are for ranks of one node.
     *
     * @param spec the request; the choice decides the number of blocks
     * @param messageBytes message size in bytes: that of the output for allgather, that of the input otherwise
     * @param refusals receives the reason for each refused program that precedes the choice
     * @return empty if no program can serve the message
     */
    public static Optional<ProgramChoice> best(
            ProgramSpec spec, long messageBytes, SelectionContext context, List<String> refusals) {
        Optional<ProgramChoice> measured =
                programRow(spec, messageBytes, context).flatMap(row -> of(row, spec, context, refusals));
        if (measured.isPresent()) {
            return measured;
        }
        for (ShippedProgram program : ranked(spec, messageBytes, context)) {
            Optional<ProgramChoice> choice = named(program, spec, messageBytes, context, refusals);
            if (choice.isPresent()) {
                return choice;
            }
        }
        return Optional.empty();
    }

    /**
     * The programs that {@link #best} tries for a message, best first: the one of the table, if that has a row for the
     * message, then those of the ranking.
     */
    public static List<ShippedProgram> order(ProgramSpec spec, long messageBytes, SelectionContext context) {
        return Stream.concat(
                        measured(spec, messageBytes, context).stream(), ranked(spec, messageBytes, context).stream())
                .distinct()
                .toList();
    }

    /** The program of the table for a message, whether or not it is refused; empty if the table has none. */
    public static Optional<ShippedProgram> measured(ProgramSpec spec, long messageBytes, SelectionContext context) {
        return programRow(spec, messageBytes, context).map(row -> ShippedProgram.parse(row.program()));
    }

    /**
     * The reason why {@link #best} passes over the program of the table for a message; empty if it takes it, or if the
     * table has none.
     */
    public static Optional<String> measuredRefusal(ProgramSpec spec, long messageBytes, SelectionContext context) {
        List<String> refusals = new ArrayList<>();
        Optional<ProgramChoice> _ =
                programRow(spec, messageBytes, context).flatMap(row -> of(row, spec, context, refusals));
        return refusals.stream().findFirst().map(text -> text.substring(text.indexOf(": ") + 2));
    }

    /** The row of the table for a message if its algorithm is a native one. {@link #best} does not see such rows. */
    public static Optional<SelectionRow> nativeRow(ProgramSpec spec, long messageBytes, SelectionContext context) {
        return row(spec, messageBytes, context).filter(ProgramChoice::isNative);
    }

    /** Whether the algorithm of a row is a native one, and no shipped program. */
    public static boolean isNative(SelectionRow row) {
        return !row.isDefault() && NamedProgram.find(row.program()).isEmpty();
    }

    /** Whether the algorithm of a row is a shipped program that needs a switch. */
    public static boolean usesSwitch(SelectionRow row) {
        return !row.isDefault()
                && !isNative(row)
                && ShippedProgram.parse(row.program()).usesSwitch();
    }

    private static Optional<SelectionRow> programRow(ProgramSpec spec, long messageBytes, SelectionContext context) {
        return row(spec, messageBytes, context).filter(row -> !isNative(row));
    }

    private static List<ShippedProgram> ranked(ProgramSpec spec, long messageBytes, SelectionContext context) {
        return new ProgramRanking(context.preference())
                .order(spec.collective(), messageBytes, spec.ranks(), isDirect(context));
    }

    private static Optional<SelectionRow> row(ProgramSpec spec, long messageBytes, SelectionContext context) {
        return isOneNode(spec, context)
                ? context.preference().table().find(spec.collective(), spec.ranks(), isDirect(context), messageBytes)
                : Optional.empty();
    }

    /** Whether all ranks access each other's buffers. */
    private static boolean isDirect(SelectionContext context) {
        return PlanNeeds.of(ShippedProgram.DIRECT).missing(context).isEmpty();
    }

    private static boolean isOneNode(ProgramSpec spec, SelectionContext context) {
        return spec.nodes() == 1 && context.unequalNodes().isEmpty();
    }

    private static Optional<ProgramChoice> of(
            SelectionRow row, ProgramSpec spec, SelectionContext context, List<String> refusals) {
        ShippedProgram program = ShippedProgram.parse(row.program());
        ProgramSpec measured =
                spec.blocks(row.size().blocks()).threads(row.size().threadsPerBlock());
        Optional<String> refusal = refusal(program, measured, context)
                .or(() -> missingLines(program, context))
                .or(() -> missingScratch(program, measured, context));
        refusal.ifPresent(reason -> refusals.add(program.label() + ": " + reason));
        return refusal.isPresent() ? Optional.empty() : Optional.of(new ProgramChoice(program, measured));
    }

    /** Other packets than lines would be sent, for which another program is better. */
    private static Optional<String> missingLines(ShippedProgram program, SelectionContext context) {
        return program.usesLines() && !context.preference().hasLines()
                ? Optional.of("the device sends no lines, or they are switched off")
                : Optional.empty();
    }

    private static Optional<String> missingScratch(ShippedProgram program, ProgramSpec spec, SelectionContext context) {
        long limit = context.preference().scratchLimit();
        long least = ScratchNeed.leastBytes(program.plan(spec));
        return least > limit
                ? Optional.of("it needs " + least + " bytes of scratch, and at most " + limit + " are allowed")
                : Optional.empty();
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
        return program.refusal(spec)
                .or(() -> tooManyOperands(program, spec, context))
                .or(() -> PlanNeeds.of(program).missing(context));
    }

    private static Optional<String> tooManyOperands(
            ShippedProgram program, ProgramSpec spec, SelectionContext context) {
        int most = context.preference().mostOperands();
        int needed = program.mostOperands(spec);
        return needed > most
                ? Optional.of("it has operations of " + needed + " operands, and the device takes up to " + most)
                : Optional.empty();
    }
}

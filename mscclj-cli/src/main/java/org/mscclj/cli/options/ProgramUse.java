package org.mscclj.cli.options;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/** Checks whether a shipped program can be used as the command line requires. */
public final class ProgramUse {
    private ProgramUse() {}

    /** Returns why it cannot be used, and which program can; empty if it can. */
    public static Optional<String> refusal(ShippedProgram program, ProgramSpec spec) {
        return program.refusal(spec)
                .or(() -> beyondNode(program, spec)
                        ? Optional.of(
                                "it needs mapped memory of all peers, and there are " + spec.nodes() + " nodes; use "
                                        + Stream.of(ShippedProgram.values())
                                                .filter(other -> !beyondNode(other, spec)
                                                        && other.refusal(spec).isEmpty())
                                                .map(ShippedProgram::label)
                                                .collect(Collectors.joining(" or ")))
                        : Optional.empty())
                .map(reason -> "program " + program.label() + " of " + spec.collective() + ": " + reason);
    }

    private static boolean beyondNode(ShippedProgram program, ProgramSpec spec) {
        return spec.nodes() > 1 && program.mappedPeers() == MappedPeers.ALL;
    }
}

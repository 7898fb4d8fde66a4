package org.mscclj.cli.simulate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.options.AcceptedSizes;
import org.mscclj.cli.options.Quantities;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/**
 * The subject of a simulation: a plan; an algorithm, which may have a different plan for each size; or a collective,
 * for which communicators choose an algorithm by size.
 *
 * @param plans returns the plan for a message size in bytes
 * @param file whether the plan was read from a file, which fixes its ranks
 * @param scratchLimit the maximum scratch in bytes that engines allocate for it
 */
record SimulationTarget(LongFunction<Plan> plans, boolean file, long scratchLimit) {
    private static final List<Long> USUAL_SIZES = List.of(1L << 10, 1L << 16, 1L << 20, 1L << 24, 1L << 28);

    /**
     * Resolves an argument of the command.
     *
     * @throws InvalidArgumentException if it names none of them, or the algorithm does not have the collective
     */
    static SimulationTarget of(String text, ProgramCall call) {
        long scratch = call.preference().scratchLimit();
        if (collective(text).isPresent()) {
            return new SimulationTarget(call::chosenPlan, false, scratch);
        }
        Optional<ShippedProgram> program = program(text);
        if (program.isPresent()) {
            program.get().refusal(call.spec(program.get(), 0, 0)).ifPresent(reason -> {
                throw new InvalidArgumentException("algorithm " + text + " of " + call.collective() + ": " + reason
                        + "; " + advice(program.get(), call));
            });
            return new SimulationTarget(
                    bytes -> program.get().plan(call.spec(program.get(), 0, bytes)), false, scratch);
        }
        Path path = Path.of(text);
        if (!Files.exists(path)) {
            throw InvalidArgumentException.of(
                    "PLAN|PROGRAM|COLLECTIVE",
                    text,
                    "the file of a plan, or one of "
                            + Stream.concat(
                                            Arrays.stream(ShippedProgram.values())
                                                    .map(ShippedProgram::label),
                                            collectives().map(Collective::label))
                                    .collect(Collectors.joining(", ")));
        }
        Plan plan = PlanReader.read(path);
        return new SimulationTarget(_ -> plan, true, SimulationOptions.DEFAULT.scratchLimit());
    }

    /** Returns what to change so that the program exists. */
    private static String advice(ShippedProgram program, ProgramCall call) {
        if (!program.collectives().contains(call.collective())) {
            return "choose another --collective";
        }
        if (program.mappedPeers() == MappedPeers.SAME_NODE) {
            return "choose a --topology of several nodes, and enough --ranks for two of them";
        }
        return "choose another --collective, or " + (call.inPlace() ? "--no-in-place" : "--in-place");
    }

    /** Returns the collective of a name; empty if shipped algorithms do not have it. */
    static Optional<Collective> collective(String label) {
        return collectives()
                .filter(collective -> collective.label().equals(label))
                .findFirst();
    }

    private static Stream<Collective> collectives() {
        return Arrays.stream(Collective.values())
                .filter(collective -> ShippedProgram.PORT.collectives().contains(collective));
    }

    /** Returns the algorithm of a name. */
    static Optional<ShippedProgram> program(String label) {
        return Arrays.stream(ShippedProgram.values())
                .filter(program -> program.label().equals(label))
                .findFirst();
    }

    Plan plan(long messageBytes) {
        return plans.apply(messageBytes);
    }

    /** Rejects a number of ranks that differs from that of the plan, or exceeds that of the topology. */
    Topology requireRanks(Optional<Integer> ranks, Topology topology) {
        int has = file ? plan(0).worldSize() : ranks.orElse(1);
        if (ranks.isPresent() && ranks.get() != has) {
            throw new InvalidArgumentException("--ranks is " + ranks.get() + ", but the plan has " + has
                    + " ranks; leave --ranks out, or name an algorithm");
        }
        if (has > topology.ranks()) {
            throw new InvalidArgumentException("there are " + has + " ranks, and topology " + topology.label() + " has "
                    + topology.ranks() + "; choose a larger topology, or fewer ranks");
        }
        return topology;
    }

    /**
     * Returns the sizes of a list, in whole slices.
     *
     * @throws InvalidArgumentException if one is invalid, or the plan does not accept it
     */
    List<Long> sizes(String list) {
        AcceptedSizes sizes = new AcceptedSizes(plan(0));
        return Arrays.stream(list.split(",", -1))
                .map(text -> sizes.checked(Quantities.bytes("--size", text)))
                .toList();
    }

    /** Returns the default sizes that the plan accepts; if it accepts none, the closest to the first. */
    List<Long> usualSizes() {
        AcceptedSizes sizes = new AcceptedSizes(plan(0));
        List<Long> accepted =
                USUAL_SIZES.stream().filter(sizes::accepts).map(sizes::rounded).toList();
        return accepted.isEmpty() ? List.of(sizes.rounded(sizes.closest(USUAL_SIZES.getFirst()))) : accepted;
    }

    /** Returns the size of a slice in bytes. */
    long sliceBytes(long messageBytes) {
        return new AcceptedSizes(plan(0)).sliceBytes(messageBytes);
    }
}

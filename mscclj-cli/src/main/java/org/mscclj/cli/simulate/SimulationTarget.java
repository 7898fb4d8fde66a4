package org.mscclj.cli.simulate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.program.ShippedProgram;
import org.mscclj.plan.simulate.topology.Topology;

/**
 * What is simulated: a plan, or an algorithm, of which there may be another plan for each size.
 *
 * @param plans the plan for a message of so many bytes
 * @param file whether the plan was read from a file, which fixes its ranks
 */
record SimulationTarget(LongFunction<Plan> plans, boolean file) {
    /**
     * What an argument of the command names.
     *
     * @throws InvalidArgumentException if it names nothing, or the algorithm does not compute what is asked for
     */
    static SimulationTarget of(String text, ProgramCall call) {
        Optional<ShippedProgram> program = program(text);
        if (program.isPresent()) {
            program.get().refusal(call.spec(program.get(), 0, 0)).ifPresent(reason -> {
                throw new InvalidArgumentException("algorithm " + text + " of " + call.collective() + ": " + reason
                        + "; choose another --collective, or " + (call.inPlace() ? "--no-in-place" : "--in-place"));
            });
            return new SimulationTarget(bytes -> program.get().plan(call.spec(program.get(), 0, bytes)), false);
        }
        Path path = Path.of(text);
        if (!Files.exists(path)) {
            throw InvalidArgumentException.of(
                    "PLAN|PROGRAM",
                    text,
                    "the file of a plan, or one of "
                            + Arrays.stream(ShippedProgram.values())
                                    .map(ShippedProgram::label)
                                    .collect(Collectors.joining(", ")));
        }
        Plan plan = PlanReader.read(path);
        return new SimulationTarget(_ -> plan, true);
    }

    /** The algorithm of a name. */
    static Optional<ShippedProgram> program(String label) {
        return Arrays.stream(ShippedProgram.values())
                .filter(program -> program.label().equals(label))
                .findFirst();
    }

    Plan plan(long messageBytes) {
        return plans.apply(messageBytes);
    }

    /** Refuses ranks that a plan does not have, and more than the topology has. */
    Topology requireRanks(Optional<Integer> ranks, Topology topology) {
        int has = file ? plan(0).worldSize() : ranks.orElse(1);
        if (ranks.isPresent() && ranks.get() != has) {
            throw new InvalidArgumentException("--ranks is " + ranks.get() + ", but the plan has " + has
                    + " ranks; leave --ranks out, or name an algorithm");
        }
        if (has > topology.ranks()) {
            throw new InvalidArgumentException("there are " + has + " ranks, and topology " + topology.name() + " has "
                    + topology.ranks() + "; choose a larger topology, or fewer ranks");
        }
        return topology;
    }

    private int slices() {
        Plan plan = plan(0);
        return plan.collective() == Collective.ALLGATHER
                ? plan.worldSize()
                : plan.collective().inputSlices(plan.worldSize());
    }

    /** A size, rounded down to whole slices. */
    long rounded(long messageBytes) {
        return messageBytes / slices() * slices();
    }

    /** Bytes of a slice of a message. */
    long sliceBytes(long messageBytes) {
        return messageBytes / slices();
    }
}

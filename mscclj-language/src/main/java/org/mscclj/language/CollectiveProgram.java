package org.mscclj.language;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanDefinition;
import org.mscclj.language.pass.BlockStep;
import org.mscclj.language.pass.FusionLimits;
import org.mscclj.language.pass.Passes;
import org.mscclj.plan.Plan;

/** A collective algorithm: the operations of the thread blocks of all ranks. Immutable and thread-safe. */
public final class CollectiveProgram implements PlanDefinition {
    private final AlgoSpec spec;
    private final Plan declared;
    private final List<List<List<BlockStep>>> steps;

    CollectiveProgram(AlgoSpec spec, Plan declared, List<List<List<BlockStep>>> steps) {
        this.spec = spec;
        this.declared = declared;
        this.steps = steps;
    }

    /**
     * Defines a program.
     *
     * @param spec the properties of the program
     * @param definition records the operations of the blocks in its argument; called once, before this method returns
     * @throws InvalidArgumentException if the definition is wrong: at the wrong line, or, if only the whole program
     *     shows the fault, from this method with that line in the message
     */
    public static CollectiveProgram define(AlgoSpec spec, Consumer<ProgramBuilder> definition) {
        Objects.requireNonNull(definition, "the definition of a program");
        ProgramBuilder builder = new ProgramBuilder(spec);
        try {
            definition.accept(builder);
            return builder.build();
        } finally {
            builder.recorder().end();
        }
    }

    /** The specification. */
    public AlgoSpec spec() {
        return spec;
    }

    /** The required ranks on each node, from the specification; empty for any. */
    @Override
    public Optional<Integer> ranksPerNode() {
        return spec.ranksPerNode();
    }

    /** The tags of the specification. */
    @Override
    public Map<String, Integer> tags() {
        return spec.tags();
    }

    /**
     * Compiles the execution plan. The plan is valid, and equal programs give equal plans.
     *
     * @throws InvalidArgumentException if the program cannot run; the message names the place and the reason
     */
    @Override
    public Plan compile() {
        return new Passes(
                        spec.instructionFusion(),
                        spec.boundedFusion() ? FusionLimits.MSCCLPP : FusionLimits.NONE,
                        spec.automaticSync(),
                        spec.instances())
                .compile(declared, steps);
    }
}

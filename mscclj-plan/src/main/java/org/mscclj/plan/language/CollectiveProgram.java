package org.mscclj.plan.language;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanDefinition;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pass.FusionLimits;
import org.mscclj.plan.pass.Passes;
import org.mscclj.plan.pass.Step;

/** A collective algorithm: what the thread blocks of all ranks do. Immutable, and safe for use by several threads. */
public final class CollectiveProgram implements PlanDefinition {
    private final AlgoSpec spec;
    private final Plan declared;
    private final List<List<List<Step>>> steps;

    CollectiveProgram(AlgoSpec spec, Plan declared, List<List<List<Step>>> steps) {
        this.spec = spec;
        this.declared = declared;
        this.steps = steps;
    }

    /**
     * Defines a program.
     *
     * @param spec everything but what the blocks do
     * @param definition says what the blocks do, by calling what it is given; called once, before this returns
     * @throws InvalidArgumentException if the definition is wrong: at the line that is, or, where only the whole shows
     *     it, here, with that line in the message
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

    /** What it was defined with. */
    public AlgoSpec spec() {
        return spec;
    }

    /** The specification's; empty for any. */
    @Override
    public Optional<Integer> ranksPerNode() {
        return spec.ranksPerNode();
    }

    /** The specification's. */
    @Override
    public Map<String, Integer> tags() {
        return spec.tags();
    }

    /**
     * The execution plan: valid, and equal for equal programs.
     *
     * @throws InvalidArgumentException if the program cannot be run; says where and why
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

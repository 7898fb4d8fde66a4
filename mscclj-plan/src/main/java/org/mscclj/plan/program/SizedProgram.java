package org.mscclj.plan.program;

import org.mscclj.plan.Plan;

/**
 * A program for the messages for which communicators choose it.
 *
 * @param program the program
 * @param spec what it is made for
 * @param leastBytes least size of these messages: the output's for allgather, the input's otherwise
 * @param mostBytes greatest size, inclusive; {@link ChosenProgram#NO_LIMIT} for any
 */
public record SizedProgram(ShippedProgram program, ProgramSpec spec, long leastBytes, long mostBytes) {
    /** The same for both ranges of sizes, and for what is between them. */
    SizedProgram and(SizedProgram other) {
        return new SizedProgram(
                program, spec, Math.min(leastBytes, other.leastBytes), Math.max(mostBytes, other.mostBytes));
    }

    /** The same, with operations that keep to what MSCCL++'s executor has room for, or not. */
    public SizedProgram bounded(boolean forMscclpp) {
        return new SizedProgram(program, spec.bounded(forMscclpp), leastBytes, mostBytes);
    }

    /** Makes the plan, which is not kept for a second time. */
    public Plan plan() {
        Plan plan = program.makeOnce(spec);
        return new Plan(
                plan.name(),
                plan.collective(),
                plan.protocol(),
                plan.inPlace(),
                plan.reuseResources(),
                plan.threadsPerBlock(),
                plan.doubleScratch(),
                plan.bufferAlignment(),
                leastBytes,
                mostBytes == ChosenProgram.NO_LIMIT ? -1 : mostBytes,
                plan.ranks());
    }
}

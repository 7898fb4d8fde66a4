package org.mscclj.language.selection;

import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/**
 * A program with the messages for which communicators choose it.
 *
 * @param program the program
 * @param spec specification of the program
 * @param leastBytes least message size in bytes: that of the output for allgather, that of the input otherwise
 * @param mostBytes greatest message size, inclusive; {@link ChosenProgram#NO_LIMIT} for none
 */
public record SizedProgram(ShippedProgram program, ProgramSpec spec, long leastBytes, long mostBytes) {
    /** This program for both ranges of sizes, and for the sizes between them. */
    public SizedProgram and(SizedProgram other) {
        return new SizedProgram(
                program, spec, Math.min(leastBytes, other.leastBytes), Math.max(mostBytes, other.mostBytes));
    }

    /** This program with or without the limits of MSCCL++'s executor. */
    public SizedProgram bounded(boolean forMscclpp) {
        return new SizedProgram(program, spec.bounded(forMscclpp), leastBytes, mostBytes);
    }

    /** Builds the plan; does not cache it. */
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

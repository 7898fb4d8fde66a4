package org.mscclj.language.selection;

import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/**
 * A program that communicators choose, with the messages for which they choose it.
 *
 * @param program the program
 * @param spec specification of the program
 * @param registered whether the choice holds for buffers that peers can access, or for all others
 * @param leastBytes least message size in bytes: that of the output for allgather, that of the input otherwise
 * @param mostBytes greatest message size, inclusive; {@link #NO_LIMIT} for none
 */
public record ChosenProgram(
        ShippedProgram program, ProgramSpec spec, boolean registered, long leastBytes, long mostBytes) {
    /** Value of {@link #mostBytes} without a limit. */
    public static final long NO_LIMIT = Long.MAX_VALUE;
}

package org.mscclj.plan.program;

/**
 * A program that communicators choose, and for which messages.
 *
 * @param program the program
 * @param spec what it is made for
 * @param registered whether this is the choice for buffers that peers can access, or for all others
 * @param leastBytes least size of these messages: the output's for allgather, the input's otherwise
 * @param mostBytes greatest size, inclusive; {@link #NO_LIMIT} for any
 */
public record ChosenProgram(
        ShippedProgram program, ProgramSpec spec, boolean registered, long leastBytes, long mostBytes) {
    /** There is no greatest size. */
    public static final long NO_LIMIT = Long.MAX_VALUE;
}

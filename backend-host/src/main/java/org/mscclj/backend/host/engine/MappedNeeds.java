package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.host.step.LaunchBuffers;
import org.mscclj.plan.BufferType;

/** The inputs and outputs that a rank's blocks access by address, so that each launch must have them mapped. */
final class MappedNeeds {
    private final Map<Integer, ToLongFunction<LaunchBuffers>> inputs = new HashMap<>();
    private final Map<Integer, ToLongFunction<LaunchBuffers>> outputs = new HashMap<>();
    private final List<Need> needs = new ArrayList<>();

    /** A buffer of a rank. */
    private record Need(int rank, BufferType buffer, String where) {
        void check(LaunchBuffers buffers) {
            if (!buffers.isMapped(rank, buffer)) {
                throw unmapped(where, buffer.name().toLowerCase(Locale.ROOT), rank);
            }
        }
    }

    /**
     * Adds the input of a rank.
     *
     * @param where the first block that accesses it
     * @return the address in a launch
     */
    ToLongFunction<LaunchBuffers> input(int rank, Supplier<String> where) {
        return inputs.computeIfAbsent(rank, owner -> {
            needs.add(new Need(owner, BufferType.INPUT, where.get()));
            return buffers -> buffers.input(owner);
        });
    }

    /**
     * Adds the output of a rank.
     *
     * @param where the first block that accesses it
     * @return the address in a launch
     */
    ToLongFunction<LaunchBuffers> output(int rank, Supplier<String> where) {
        return outputs.computeIfAbsent(rank, owner -> {
            needs.add(new Need(owner, BufferType.OUTPUT, where.get()));
            return buffers -> buffers.output(owner);
        });
    }

    /**
     * Requires that the buffers of a launch are mapped.
     *
     * @throws UnsupportedException if one is not
     */
    void check(LaunchBuffers buffers) {
        for (int i = 0; i < needs.size(); i++) {
            needs.get(i).check(buffers);
        }
    }

    static UnsupportedException unmapped(String where, String buffer, int rank) {
        return new UnsupportedException(where + ": the " + buffer + " of rank " + rank
                + " is not mapped here; use memory from Communicator.allocate, or a plan with"
                + " port channels to that rank");
    }
}

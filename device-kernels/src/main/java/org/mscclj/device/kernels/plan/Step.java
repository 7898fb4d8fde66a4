package org.mscclj.device.kernels.plan;

import java.util.List;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChannelType;

/**
 * A step of a block's code. Its line of code has no numbers but its place in the table, so that blocks which do the
 * same on different data share their code; its numbers are so many words of the table.
 */
sealed interface Step {
    /** Words of the table. */
    int words();

    /**
     * The line of code.
     *
     * @param at where the step's words are
     * @param indent what stands before the line, for steps that have several
     */
    String code(TablePlace at, String indent);

    /** The threads of the block meet. */
    record Nop() implements Step {
        @Override
        public int words() {
            return 0;
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "if (block.nop()) return;";
        }
    }

    /** Blocks of the rank meet. */
    record Barrier(int id, int threadBlocks) implements Step {
        @Override
        public int words() {
            return 2;
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "if (block.barrier(" + at + ")) return;";
        }
    }

    /** Raises counters of peers through memory channels of the rank. */
    record Signal(List<Integer> channels, boolean releases) implements Step {
        /** Copies the list. */
        public Signal {
            channels = List.copyOf(channels);
        }

        @Override
        public int words() {
            return channels.size();
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "block.template signal<" + channels.size() + ", " + releases + ">(" + at + ");";
        }
    }

    /**
     * Asks a proxy to copy.
     *
     * @param channel the rank's port channel
     * @param source where from
     * @param destination where to
     * @param share the block's share of both
     * @param packets whether both are packets
     * @param halves bit 0 if the source lies in double scratch, bit 1 if the destination does
     */
    record PortPut(int channel, Place source, Place destination, BlockShare share, boolean packets, long halves)
            implements Step {
        /** Words before those of halves. */
        static final int OWN_WORDS = 4;

        @Override
        public int words() {
            return OWN_WORDS + Long.bitCount(halves);
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "putThroughPort<" + packets + ", 0x" + Long.toHexString(halves) + ">(block, " + at + ");";
        }

        /** The same as a move, for its runs. */
        Move move() {
            return packets
                    ? new Move(List.of(), List.of(source), List.of(), List.of(destination), share)
                    : Move.plain(List.of(source), List.of(destination), share);
        }
    }

    /**
     * Asks a proxy to signal, to flush, or both, in this order; waits for a flush.
     *
     * @param channel the rank's port channel
     * @param type any of {@link org.mscclj.spi.proxy.Trigger#SIGNAL} and {@link org.mscclj.spi.proxy.Trigger#FLUSH}
     */
    record PortTell(int channel, int type) implements Step {
        @Override
        public int words() {
            return 2;
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "tellPort<" + type + ">(block, " + at + ");";
        }
    }

    /** Waits for counters of channels. */
    record Wait(List<Counter> counters) implements Step {
        /** Copies the list. */
        public Wait {
            counters = List.copyOf(counters);
        }

        @Override
        public int words() {
            return 2 * counters.size();
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "block.template wait<" + counters.size() + ">(" + at + ");";
        }
    }

    /** Takes one from each semaphore. */
    record Acquire(List<Integer> semaphores) implements Step {
        /** Copies the list. */
        public Acquire {
            semaphores = List.copyOf(semaphores);
        }

        @Override
        public int words() {
            return semaphores.size();
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "block.template acquire<" + semaphores.size() + ">(" + at + ");";
        }
    }

    /** Adds one to each semaphore. */
    record Release(List<Integer> semaphores) implements Step {
        /** Copies the list. */
        public Release {
            semaphores = List.copyOf(semaphores);
        }

        @Override
        public int words() {
            return semaphores.size();
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "block.template release<" + semaphores.size() + ">(" + at + ");";
        }
    }

    /** Runs steps once for each unit of a range. */
    record Pipeline(long unitSize, int chunks, List<Step> steps) implements Step {
        /** Words before those of the steps in it. */
        static final int OWN_WORDS = 2;

        /** Copies the list. */
        public Pipeline {
            steps = List.copyOf(steps);
        }

        @Override
        public int words() {
            return OWN_WORDS + steps.stream().mapToInt(Step::words).sum();
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "for (uint64 i = 0, n = block.iterations(" + at + "); i < n; i++) {\n" + indent
                    + "    block.window(" + at + ", i);\n"
                    + StepLines.of(steps, at.plus(OWN_WORDS), indent + "    ") + indent + "}\n" + indent
                    + "block.wholeWindow();";
        }
    }

    /**
     * Moves data.
     *
     * @param move what
     * @param halves a bit for each operand that lies in double scratch
     */
    record Data(Move move, long halves) implements Step {
        @Override
        public int words() {
            return 1 + Long.bitCount(halves);
        }

        @Override
        public String code(TablePlace at, String indent) {
            String mask = "0x" + Long.toHexString(halves);
            if (!move.hasPackets()) {
                return "move<" + move.plainSources().size() + ", "
                        + move.plainDestinations().size() + ", " + mask + ">(block, " + at + ");";
            }
            return "movePackets<" + !move.plainSources().isEmpty() + ", "
                    + move.packetSources().size() + ", "
                    + !move.plainDestinations().isEmpty() + ", "
                    + move.packetDestinations().size() + ", " + mask + ">(block, " + at + ");";
        }
    }

    /**
     * A step that says when it began and ended.
     *
     * @param step what it does
     * @param operation a number of what it is
     */
    record Traced(Step step, int operation) implements Step {
        @Override
        public int words() {
            return 1 + step.words();
        }

        @Override
        public String code(TablePlace at, String indent) {
            return "{ Traced<PlanBlock> traced(block, " + at + "); " + step.code(at.plus(1), indent) + " }";
        }
    }

    /**
     * A counter that a block waits for.
     *
     * @param type the type of the channel
     * @param channel the rank's channel of that type, whose number is the counter's slot
     * @param shared whether several blocks of the rank wait for it
     */
    record Counter(ChannelType type, int channel, boolean shared) {}
}

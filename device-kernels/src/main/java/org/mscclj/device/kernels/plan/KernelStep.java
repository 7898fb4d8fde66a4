package org.mscclj.device.kernels.plan;

import java.util.List;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.fusion.Move;
import org.mscclj.plan.fusion.OperandRange;

/**
 * A step of a block's code. The code of a step contains no number except its offset in the table, so blocks that do the
 * same with different data share their code; its other numbers are words of the table.
 */
sealed interface KernelStep {
    /** Number of words in the table. */
    int words();

    /**
     * The line of code.
     *
     * @param at offset of the step's words
     * @param indent indentation of further lines, for steps that have several
     */
    String code(TableOffset at, String indent);

    /** Synchronises the threads of the block. */
    record Nop() implements KernelStep {
        @Override
        public int words() {
            return 0;
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "if (block.nop()) return;";
        }
    }

    /** Synchronises blocks of the rank. */
    record Barrier(int id, int threadBlocks) implements KernelStep {
        @Override
        public int words() {
            return 2;
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "if (block.barrier(" + at + ")) return;";
        }
    }

    /** Raises counters of peers through memory channels of the rank. */
    record Signal(List<Integer> channels, boolean releases) implements KernelStep {
        /** Copies the list. */
        public Signal {
            channels = List.copyOf(channels);
        }

        @Override
        public int words() {
            return channels.size();
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "block.template signal<" + channels.size() + ", " + releases + ">(" + at + ");";
        }
    }

    /**
     * Requests a copy from a proxy.
     *
     * @param channel port channel of the rank
     * @param source source
     * @param destination destination
     * @param share the block's share of both
     * @param packets whether both hold packets
     * @param halves bit 0 if the source is in double scratch, bit 1 if the destination is
     */
    record PortPut(
            int channel, OperandRange source, OperandRange destination, BlockShare share, boolean packets, long halves)
            implements KernelStep {
        /** Words before those of halves. */
        static final int OWN_WORDS = 4;

        @Override
        public int words() {
            return OWN_WORDS + Long.bitCount(halves);
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "putThroughPort<" + packets + ", 0x" + Long.toHexString(halves) + ">(block, " + at + ");";
        }

        /** The request as a move, for its runs. */
        Move move() {
            return packets
                    ? new Move(List.of(), List.of(source), List.of(), List.of(destination), share)
                    : Move.plain(List.of(source), List.of(destination), share);
        }
    }

    /**
     * Requests a signal, a flush, or both in this order, from a proxy; waits for a flush.
     *
     * @param channel port channel of the rank
     * @param type any of {@link org.mscclj.spi.proxy.Trigger#SIGNAL} and {@link org.mscclj.spi.proxy.Trigger#FLUSH}
     */
    record PortTrigger(int channel, int type) implements KernelStep {
        @Override
        public int words() {
            return 2;
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "triggerPort<" + type + ">(block, " + at + ");";
        }
    }

    /** Waits for counters of channels. */
    record Wait(List<Counter> counters) implements KernelStep {
        /** Copies the list. */
        public Wait {
            counters = List.copyOf(counters);
        }

        @Override
        public int words() {
            return 2 * counters.size();
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "block.template wait<" + counters.size() + ">(" + at + ");";
        }
    }

    /** Acquires each semaphore once. */
    record Acquire(List<Integer> semaphores) implements KernelStep {
        /** Copies the list. */
        public Acquire {
            semaphores = List.copyOf(semaphores);
        }

        @Override
        public int words() {
            return semaphores.size();
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "block.template acquire<" + semaphores.size() + ">(" + at + ");";
        }
    }

    /** Releases each semaphore once. */
    record Release(List<Integer> semaphores) implements KernelStep {
        /** Copies the list. */
        public Release {
            semaphores = List.copyOf(semaphores);
        }

        @Override
        public int words() {
            return semaphores.size();
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "block.template release<" + semaphores.size() + ">(" + at + ");";
        }
    }

    /** Runs steps once for each unit of a range. */
    record Pipeline(long unitSize, int chunks, List<KernelStep> steps) implements KernelStep {
        /** Words before those of the inner steps. */
        static final int OWN_WORDS = 2;

        /** Copies the list. */
        public Pipeline {
            steps = List.copyOf(steps);
        }

        @Override
        public int words() {
            return OWN_WORDS + steps.stream().mapToInt(KernelStep::words).sum();
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "for (uint64 i = 0, n = block.iterations(" + at + "); i < n; i++) {\n" + indent
                    + "    block.window(" + at + ", i);\n"
                    + StepLines.of(steps, at.plus(OWN_WORDS), indent + "    ") + indent + "}\n" + indent
                    + "block.wholeWindow();";
        }
    }

    /**
     * Moves data.
     *
     * @param move the move
     * @param halves mask with a bit for each operand in double scratch
     * @param groups operands that are groups of a switch channel: none, the destinations, or sources and destinations
     */
    record Data(Move move, long halves, List<SwitchOperand> groups) implements KernelStep {
        /** Copies the list. */
        public Data {
            groups = List.copyOf(groups);
        }

        /** Moves data without switch channels. */
        Data(Move move, long halves) {
            this(move, halves, List.of());
        }

        /** Words of a run. */
        int runWords() {
            return 2 + move.operands().size() + groups.size();
        }

        /** Whether the last word is the place of the plain source. */
        private boolean isPlaced() {
            return move.plainPlace().isPresent();
        }

        @Override
        public int words() {
            return 1 + Long.bitCount(halves) + (isPlaced() ? 1 : 0);
        }

        @Override
        public String code(TableOffset at, String indent) {
            String mask = "0x" + Long.toHexString(halves);
            if (!groups.isEmpty()) {
                return switched(mask) + "(block, " + at + ");";
            }
            if (!move.hasPackets()) {
                return "move<" + move.plainSources().size() + ", "
                        + move.plainDestinations().size() + ", " + mask + ">(block, " + at + ");";
            }
            return "movePackets<" + !move.plainSources().isEmpty() + ", "
                    + move.packetSources().size() + ", "
                    + !move.plainDestinations().isEmpty() + ", "
                    + move.packetDestinations().size() + ", " + mask + (isPlaced() ? ", true" : "") + ">(block, " + at
                    + ");";
        }

        /** Whether a switch reduces, where it can. */
        boolean isReducedBySwitch() {
            return groups.size() > 1;
        }

        private String switched(String mask) {
            if (move.hasPackets()) {
                return "packetsBySwitch<" + move.packetDestinations().size() + ", " + mask + ">";
            }
            return "moveBySwitch<"
                    + (isReducedBySwitch() ? PlanKernel.SWITCH_REDUCTION + ", true, " : "NoSwitchReduction, false, ")
                    + move.plainSources().size() + ", "
                    + move.plainDestinations().size() + ", " + mask + ">";
        }
    }

    /**
     * Operands of a move that are the members of a group.
     *
     * @param first position of the first among the move's operands
     * @param channel switch channel of the rank
     */
    record SwitchOperand(int first, int channel) {}

    /**
     * A step that records its begin and end.
     *
     * @param step the step
     * @param operation number of the operation's kind
     */
    record Traced(KernelStep step, int operation) implements KernelStep {
        @Override
        public int words() {
            return 1 + step.words();
        }

        @Override
        public String code(TableOffset at, String indent) {
            return "{ Traced<PlanBlock> traced(block, " + at + "); " + step.code(at.plus(1), indent) + " }";
        }
    }

    /**
     * A counter that a block waits for.
     *
     * @param type the type of the channel
     * @param channel channel of the rank of that type; its id is the counter's slot
     * @param shared whether several blocks of the rank wait for it
     */
    record Counter(ChannelType type, int channel, boolean shared) {}
}

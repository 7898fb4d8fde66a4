package org.mscclj.conformance.operation;

import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.VariableCalls;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** The property in which two calls differ that should be equal. */
public enum Mismatch {
    /** Another collective. */
    OPERATION(Mismatch::operations, false),
    /** Another number of elements. */
    COUNT(Mismatch::counts, true),
    /** Another data type of the same size. */
    TYPE(Mismatch::types, true),
    /** Another reduce operation. */
    REDUCTION(Mismatch::reductions, true),
    /** Another root. */
    ROOT(Mismatch::roots, false),
    /** Input and output in one buffer. */
    IN_PLACE(Mismatch::places, true),
    /** Another algorithm, so another plan. */
    PLAN(Mismatch::plans, false),
    /** Another part of one allocation. */
    OFFSET(Mismatch::offsets, true),
    /** Another variable-size collective. */
    PARTS(Mismatch::parts, true),
    /** A variable-size collective with another root. */
    PARTS_ROOT(Mismatch::rootsOfParts, false),
    /** A variable-size collective of another type. */
    PARTS_TYPE(Mismatch::typesOfParts, true);

    private static final int PART_BYTES = 4096;
    private static final String ALLTOALL_OF = " alltoall of ";
    private static final String ALLGATHER_OF = " allgather of ";

    private final BiFunction<Memory, Random, Calls> calls;
    private final boolean mayEnd;

    /**
     * What the calls are made of: equal on all ranks, except {@code rank}.
     *
     * @param buffer memory of all calls, of {@link #BYTES} bytes
     * @param ranks number of ranks
     * @param ranksPerNode number of ranks that share memory
     * @param rank this rank
     * @param deviant the rank that makes the other call
     */
    public record Memory(DeviceBuffer buffer, int ranks, int ranksPerNode, int rank, int deviant) {
        /** Size of the buffer, in bytes. */
        public static final long BYTES = 64 * PART_BYTES;

        private DeviceBuffer part(int first, int parts) {
            return buffer.slice((long) first * PART_BYTES, (long) parts * PART_BYTES);
        }

        private VariableCalls variable() {
            return new VariableCalls(rank, ranks);
        }

        /** Returns one part for each rank. */
        private List<DeviceBuffer> parts(int first) {
            return IntStream.range(0, ranks)
                    .mapToObj(part -> part(first + part, 1))
                    .toList();
        }
    }

    /** A call that can be prepared, or executed directly. */
    public sealed interface Call {
        /** Prepares the call. Collective if a plan carries it out. */
        PreparedOperation prepare(Communicator communicator);

        /** Launches the call. */
        Work execute(Communicator communicator);

        /** A collective that a plan carries out. */
        record OfPlan(CollectiveCall call) implements Call {
            @Override
            public PreparedOperation prepare(Communicator communicator) {
                return communicator.prepare(call);
            }

            @Override
            public Work execute(Communicator communicator) {
                return communicator.execute(call);
            }
        }

        /** A variable-size collective, which consists of sends and receives. */
        record OfMessages(TransferCall call) implements Call {
            @Override
            public PreparedOperation prepare(Communicator communicator) {
                return communicator.prepare(call);
            }

            @Override
            public Work execute(Communicator communicator) {
                return communicator.execute(call);
            }
        }
    }

    /**
     * Two calls.
     *
     * @param right what all ranks but one call
     * @param other what one rank calls
     * @param rightWords text that messages must contain about the first call
     * @param otherWords text that messages must contain about the other call; empty if the first text has more
     */
    public record Calls(Call right, Call other, String rightWords, String otherWords) {
        private Calls(CollectiveCall right, CollectiveCall other, String rightWords, String otherWords) {
            this(new Call.OfPlan(right), new Call.OfPlan(other), rightWords, otherWords);
        }

        private Calls(TransferCall right, TransferCall other, String rightWords, String otherWords) {
            this(new Call.OfMessages(right), new Call.OfMessages(other), rightWords, otherWords);
        }
    }

    /** The part of a message about some ranks: up to where the message names ranks again. */
    private static final Pattern SAID_OF_RANKS = Pattern.compile(
            "(?:\\brank (?<one>\\d+) called|\\branks \\[(?<listed>[\\d, ]+)]:)(?<said>(?:(?!\\branks?\\b).)*)");

    /**
     * Returns whether a message names each call with its rank: the other call for the deviant rank and for no other
     * rank, and the first call for the rest.
     *
     * @param deviant the rank that has made the other call
     * @param rightWords as in {@link Calls}
     * @param otherWords as in {@link Calls}
     */
    public static boolean isNamed(String message, int deviant, String rightWords, String otherWords) {
        Matcher said = SAID_OF_RANKS.matcher(message);
        while (said.find()) {
            String who = said.group("one") == null ? said.group("listed") : said.group("one");
            String what = said.group("said");
            String rest = message.substring(0, said.start()) + message.substring(said.end());
            if (who.equals(Integer.toString(deviant))
                    && says(what, otherWords)
                    && !says(what, rightWords)
                    && says(rest, rightWords)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a text contains words. A number at their end must end there in the text, too. */
    private static boolean says(String text, String words) {
        return Pattern.compile(Pattern.quote(words) + "(?!(?<=\\d)\\d)")
                .matcher(text)
                .find();
    }

    Mismatch(BiFunction<Memory, Random, Calls> calls, boolean mayEnd) {
        this.calls = calls;
        this.mayEnd = mayEnd;
    }

    /**
     * Returns whether launches of such calls may end, with wrong results. A timeout is then certain only if another
     * rank makes no call.
     */
    public boolean mayEnd() {
        return mayEnd;
    }

    /** Returns two such calls. Random generators in the same state give equal calls on all ranks. */
    public Calls calls(Memory memory, Random random) {
        return calls.apply(memory, random);
    }

    private static Calls operations(Memory memory, Random random) {
        int ranks = memory.ranks;
        List<CollectiveCall> all = List.of(
                CollectiveCall.allReduce(memory.part(0, 1), memory.part(32, 1), DataType.INT32),
                CollectiveCall.allGather(memory.part(0, 1), memory.part(32, ranks), DataType.INT32),
                CollectiveCall.reduceScatter(memory.part(0, ranks), memory.part(32, 1), DataType.INT32),
                CollectiveCall.allToAll(memory.part(0, ranks), memory.part(32, ranks), DataType.INT32));
        int right = random.nextInt(all.size());
        int other = (right + 1 + random.nextInt(all.size() - 1)) % all.size();
        return new Calls(all.get(right), all.get(other), words(all.get(right)), words(all.get(other)));
    }

    private static String words(CollectiveCall call) {
        return " " + call.collective().label() + " of ";
    }

    private static CollectiveCall sum(DeviceBuffer buffer) {
        return CollectiveCall.allReduce(buffer, DataType.INT32);
    }

    private static Calls counts(Memory memory, Random random) {
        long right = 4L * (2 * random.nextInt(100) + 1);
        long other = right + 4L * (2 * random.nextInt(20) + 2);
        return new Calls(
                sum(memory.buffer.slice(0, right)),
                sum(memory.buffer.slice(0, other)),
                " " + right + " bytes",
                " " + other + " bytes");
    }

    private static Calls types(Memory memory, Random random) {
        DeviceBuffer part = memory.part(random.nextInt(8), 1);
        return new Calls(sum(part), CollectiveCall.allReduce(part, DataType.FLOAT32), "int32", "float32");
    }

    private static Calls reductions(Memory memory, Random random) {
        CollectiveCall call = sum(memory.part(random.nextInt(8), 1));
        ReduceOp other = List.of(ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT).get(random.nextInt(3));
        return new Calls(call, call.op(other), ", sum", ", " + other);
    }

    /** The other root is not the rank that makes the call with it, since a root could end without the other ranks. */
    private static Calls roots(Memory memory, Random random) {
        int other = (memory.deviant + 1 + random.nextInt(memory.ranks - 1)) % memory.ranks;
        int right = (other + 1 + random.nextInt(memory.ranks - 1)) % memory.ranks;
        DeviceBuffer part = memory.part(0, 1);
        return new Calls(
                CollectiveCall.broadcast(part, part, DataType.INT32, right),
                CollectiveCall.broadcast(part, part, DataType.INT32, other),
                "root " + right,
                "root " + other);
    }

    private static Calls places(Memory memory, Random random) {
        DeviceBuffer input = memory.part(random.nextInt(8), 1);
        return new Calls(
                sum(input), CollectiveCall.allReduce(input, memory.part(32, 1), DataType.INT32), ", in place", "");
    }

    private static Calls plans(Memory memory, Random random) {
        CollectiveCall call = sum(memory.part(random.nextInt(8), 1));
        boolean mapped = memory.ranksPerNode == memory.ranks;
        String right = mapped ? "packets" : "port";
        String other = mapped ? "scratch" : "two_level";
        return new Calls(call.algorithm(right), call.algorithm(other), right, other);
    }

    private static Calls offsets(Memory memory, Random random) {
        int first = random.nextInt(8);
        int other = first + 8;
        return new Calls(
                sum(memory.part(first, 1)),
                sum(memory.part(other, 1)),
                " at offset " + first * PART_BYTES,
                " at offset " + other * PART_BYTES);
    }

    /** Each rank waits for all others in these calls. */
    private static Calls parts(Memory memory, Random random) {
        TransferCall allToAll = memory.variable().allToAll(memory.parts(0), memory.parts(32));
        TransferCall allGather = memory.variable().allGather(memory.part(0, 1), memory.parts(32));
        return random.nextBoolean()
                ? new Calls(allToAll, allGather, ALLTOALL_OF, ALLGATHER_OF)
                : new Calls(allGather, allToAll, ALLGATHER_OF, ALLTOALL_OF);
    }

    /** The root of the first call is not the deviant rank, so that the root waits for the deviant rank. */
    private static Calls rootsOfParts(Memory memory, Random random) {
        int right = (memory.deviant + 1 + random.nextInt(memory.ranks - 1)) % memory.ranks;
        int other = (right + 1 + random.nextInt(memory.ranks - 1)) % memory.ranks;
        return new Calls(gather(memory, right), gather(memory, other), "root " + right, "root " + other);
    }

    private static TransferCall gather(Memory memory, int root) {
        return memory.variable().gather(memory.part(0, 1), root == memory.rank ? memory.parts(32) : List.of(), root);
    }

    private static Calls typesOfParts(Memory memory, Random random) {
        TransferCall call = memory.variable().allToAll(memory.parts(0), memory.parts(32));
        boolean swapped = random.nextBoolean();
        return new Calls(
                call.type(swapped ? DataType.FLOAT32 : DataType.INT32),
                call.type(swapped ? DataType.INT32 : DataType.FLOAT32),
                swapped ? "of float32 parts" : "of int32 parts",
                swapped ? "of int32 parts" : "of float32 parts");
    }
}

package org.mscclj.gpu.multicast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;

/**
 * The main class of a VM whose ranks have multicast addresses for their switch channels. The ranks run each call of the
 * arguments twice, with these addresses and without. The VM prints whether all outputs are equal.
 */
final class SwitchCalls {
    private SwitchCalls() {}

    /** Arguments: number of ranks, blocks, plan, then calls as TYPE:OPERATION:ELEMENTS:SHIFT[:PACKETS]. */
    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[0]);
        SwitchPlans kind = SwitchPlans.valueOf(arguments[2]);
        Plan plan = kind.plan(count, Integer.parseInt(arguments[1]));
        try (SwitchRanks ranks = new SwitchRanks(plan, kind.isInPlace(), 1 << 16, 4 << 20)) {
            for (String text : Arrays.asList(arguments).subList(3, arguments.length)) {
                System.out.println(text + " " + compare(ranks, call(kind, count, text.split(":"))));
            }
        }
        System.out.println("end");
    }

    private static SwitchRanks.Call call(SwitchPlans kind, int ranks, String... words) {
        DataType type = DataType.valueOf(words[0]);
        int bytes = Integer.parseInt(words[2]) * type.byteSize();
        List<byte[]> contents = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            byte[] content = new byte[bytes];
            new Random(words[2].hashCode() + rank).nextBytes(content);
            contents.add(content);
        }
        return new SwitchRanks.Call(
                contents,
                Integer.parseInt(words[3]) * type.byteSize(),
                kind.gathers() ? ranks * bytes : bytes,
                bytes,
                type,
                op(words[1]),
                words.length > 4 ? PacketType.valueOf(words[4]) : PacketType.LL16);
    }

    private static ReduceOp op(String name) {
        return switch (name) {
            case "SUM" -> ReduceOp.SUM;
            case "PRODUCT" -> ReduceOp.PRODUCT;
            case "MIN" -> ReduceOp.MIN;
            case "MAX" -> ReduceOp.MAX;
            case "BAND" -> ReduceOp.BAND;
            case "BOR" -> ReduceOp.BOR;
            case "BXOR" -> ReduceOp.BXOR;
            default -> ReduceOp.NOP;
        };
    }

    /** Says how often multicast addresses were used, or how results differ. */
    private static String compare(SwitchRanks ranks, SwitchRanks.Call call) {
        List<byte[]> expected = ranks.run(call, false);
        boolean isNothing = expected.stream()
                .allMatch(output -> IntStream.range(0, output.length).allMatch(i -> output[i] == 0));
        if (isNothing) {
            return "nothing";
        }
        long before = DriverCalls.number("standin_multimem");
        List<byte[]> results = ranks.run(call, true);
        long uses = DriverCalls.number("standin_multimem") - before;
        for (int rank = 0; rank < results.size(); rank++) {
            int difference = Arrays.mismatch(expected.get(rank), results.get(rank));
            if (difference >= 0) {
                return "differs on rank " + rank + " at byte " + difference;
            }
        }
        return "equal, by " + uses + " accesses";
    }
}

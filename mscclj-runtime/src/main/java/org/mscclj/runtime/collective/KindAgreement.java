package org.mscclj.runtime.collective;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Wire;

/** Finds out whether all ranks mean the same call. */
final class KindAgreement {
    private final ControlPlane control;

    KindAgreement(ControlPlane control) {
        this.control = control;
    }

    /**
     * Compares the shapes of a call.
     *
     * @param own makes this rank's kind; may throw, which refuses the call on every rank
     * @return whether the places of the buffers are equal on all ranks too
     * @throws InvalidArgumentException on every rank, if shapes differ; names the ranks
     */
    boolean requireEqualShapes(String what, Supplier<CallKind> own) {
        return placesOf(gather(what, own)).size() == 1;
    }

    /**
     * Compares the kinds of a call.
     *
     * @throws InvalidArgumentException on every rank, if shapes or places differ; names the ranks
     */
    void requireEqualKinds(String what, Supplier<CallKind> own) {
        Map<String, List<Integer>> places = placesOf(gather(what, own));
        if (places.size() > 1) {
            throw new InvalidArgumentException("ranks pass buffers at different places: " + list(places)
                    + "; allowed: parts of the same registered allocations at equal offsets on all ranks, or plain memory on all;"
                    + " prepare(CollectiveCall) accepts any");
        }
    }

    /**
     * Compares what the ranks have chosen.
     *
     * @param choices in words, by rank
     * @throws InvalidArgumentException on every rank, if they differ
     */
    void requireEqualChoices(byte[][] choices) {
        Map<String, List<Integer>> plans = new LinkedHashMap<>();
        for (int rank = 0; rank < choices.length; rank++) {
            add(plans, new String(choices[rank], StandardCharsets.UTF_8), rank);
        }
        if (plans.size() > 1) {
            throw new InvalidArgumentException("ranks choose different plans: " + list(plans)
                    + "; register the same plans, and set selectors that decide alike, on all ranks");
        }
    }

    private String[][] gather(String what, Supplier<CallKind> own) {
        byte[][] all = Exchange.gather(control, what, () -> encode(own.get()));
        String[][] ranks = new String[all.length][];
        Map<String, List<Integer>> shapes = new LinkedHashMap<>();
        for (int rank = 0; rank < all.length; rank++) {
            ranks[rank] = Wire.decode(all[rank], in -> new String[] {in.readUTF(), in.readUTF()});
            add(shapes, ranks[rank][0], rank);
        }
        if (shapes.size() > 1) {
            throw new InvalidArgumentException(
                    "ranks make different calls: " + list(shapes) + "; all must make the same");
        }
        return ranks;
    }

    private static byte[] encode(CallKind kind) {
        return Wire.encode(out -> {
            out.writeUTF(kind.shape().toString());
            out.writeUTF("input in " + kind.input() + ", output in " + kind.output());
        });
    }

    private static Map<String, List<Integer>> placesOf(String[][] ranks) {
        Map<String, List<Integer>> places = new LinkedHashMap<>();
        for (int rank = 0; rank < ranks.length; rank++) {
            add(places, ranks[rank][1], rank);
        }
        return places;
    }

    private static void add(Map<String, List<Integer>> ranksByWords, String words, int rank) {
        ranksByWords.computeIfAbsent(words, _ -> new ArrayList<>()).add(rank);
    }

    private static String list(Map<String, List<Integer>> ranksByWords) {
        List<String> parts = new ArrayList<>();
        ranksByWords.forEach((words, ranks) -> parts.add("ranks " + ranks + ": " + words));
        return String.join("; ", parts);
    }
}

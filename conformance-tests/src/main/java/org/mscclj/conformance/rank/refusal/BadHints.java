package org.mscclj.conformance.rank.refusal;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.option.KnownHint;

/** Hints that are unknown, have a bad value, or have no meaning for a call. They are refused where hints are strict. */
public final class BadHints {
    private BadHints() {}

    /** Returns keys and values. */
    public static Map<String, String> hints() {
        return Map.of(
                "conformance::unknown",
                "perhaps",
                KnownHint.NAN_CHECK.key(),
                "perhaps",
                KnownHint.HIGH_PRIORITY_STREAM.key(),
                "true");
    }

    /**
     * Returns a call with each hint, executed and prepared; a refusal names the hint. All ranks make the calls in one
     * order.
     */
    public static List<BadCall> of(Communicator communicator, CollectiveCall call) {
        return hints().keySet().stream()
                .sorted()
                .flatMap(key ->
                        of(communicator, call.options(call.options().hint(key, hints().getOrDefault(key, ""))), key))
                .toList();
    }

    private static Stream<BadCall> of(Communicator communicator, CollectiveCall hinted, String key) {
        String what = "a call with hints " + hinted.options().hints();
        return Stream.of(
                BadCall.of(what, BadCall.preparing(() -> communicator.prepare(hinted)), key),
                BadCall.of(what, BadCall.executing(() -> communicator.execute(hinted)), key));
    }
}

package org.mscclj.conformance.reference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.TransferCall;

/** Calls in words, which are equal on all ranks for calls that match. */
final class CallWords {
    private static final Pattern SAID = Pattern.compile("(?<=\\bcalled|]:)([^;]*);");

    private CallWords() {}

    static String of(CollectiveCall call) {
        return " " + call.collective().label() + " of " + call.input().byteSize() + " bytes " + call.type() + ", "
                + call.op().kind().label()
                + ", root " + call.root()
                + (call.input().address() == call.output().address() ? ", in place" : "")
                + call.algorithm().map(name -> ", by " + name).orElse("");
    }

    /** Of a collective that consists of messages. */
    static String of(TransferCall call) {
        return call.partOf()
                .map(part -> " " + part.operation() + " of "
                        + call.type().map(type -> type + " ").orElse("")
                        + "parts, root " + part.root())
                .orElse(" messages");
    }

    /** The same with what is said of ranks said of others. */
    static String exchanged(String differences) {
        List<String> said = new ArrayList<>();
        Matcher one = SAID.matcher(differences);
        while (one.find()) {
            said.add(one.group(1));
        }
        Collections.rotate(said, 1);
        Iterator<String> next = said.iterator();
        return SAID.matcher(differences).replaceAll(_ -> Matcher.quoteReplacement(next.next()) + ";");
    }

    /** Who says what; empty if all say the same. */
    static String differences(List<Object> words) {
        Map<Object, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank = 0; rank < words.size(); rank++) {
            ranks.computeIfAbsent(words.get(rank), w -> new ArrayList<>()).add(rank);
        }
        StringBuilder text = new StringBuilder();
        ranks.forEach((what, who) ->
                text.append("ranks ").append(who).append(": ").append(what).append("; "));
        return ranks.size() == 1 ? "" : text.toString();
    }
}

package org.mscclj.cli.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ChosenProgram;
import org.mscclj.plan.text.MessageSizeRange;

/** Prints the shipped programs as text. */
final class ProgramsText {
    private ProgramsText() {}

    /** Describes the sizes for which a program is selected. */
    private record Range(long least, long most, int blocks, int threads, boolean registered) {
        static Range of(ChosenProgram choice) {
            return new Range(
                    choice.leastBytes(),
                    choice.mostBytes(),
                    choice.spec().blocks(),
                    choice.spec().threads(),
                    choice.registered());
        }

        Range withRegistered(boolean value) {
            return new Range(least, most, blocks, threads, value);
        }

        @Override
        public String toString() {
            return MessageSizeRange.text(least, most)
                    + (blocks == 1 && threads == 0 ? "" : ", " + blocks + " blocks")
                    + (threads == 0 ? "" : " of " + threads + " threads");
        }
    }

    static String of(WorldOptions.World world, boolean gpu, List<ChosenProgram> choices) {
        StringBuilder text = new StringBuilder("shipped programs; chosen is what communicators on "
                + (gpu ? "GPUs" : "the CPU") + " take for " + world + ", whose memory can be mapped there\n");
        for (ShippedProgram program : ShippedProgram.values()) {
            text.append(program.label()).append('\n');
            line(text, "computes", labels(program.collectives()));
            line(text, "for", worlds(program));
            line(text, "needs", ProgramNeeds.of(program).text());
            List<String> chosen = chosen(choices.stream()
                    .filter(choice -> choice.program() == program)
                    .toList());
            line(text, "chosen", chosen.isEmpty() ? "by name only" : chosen.getFirst());
            chosen.stream().skip(1).forEach(more -> line(text, "", more));
        }
        return text.toString();
    }

    static String worlds(ShippedProgram program) {
        return program == ShippedProgram.TWO_LEVEL
                ? "several nodes with equally many ranks on each"
                : "any number of ranks";
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "  %-9s %s%n", name, value));
    }

    private static String labels(Set<Collective> collectives) {
        return collectives.stream().map(Collective::label).collect(Collectors.joining(", "));
    }

    private static List<String> chosen(List<ChosenProgram> choices) {
        Map<Range, String> collectives = choices.stream()
                .collect(Collectors.groupingBy(
                        Range::of,
                        LinkedHashMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), ProgramsText::collectives)));
        List<String> lines = new ArrayList<>();
        collectives.forEach((range, names) -> {
            boolean both = names.equals(collectives.get(range.withRegistered(!range.registered)));
            if (!both) {
                lines.add(range + (range.registered ? ", registered buffers: " : ", other buffers: ") + names);
            } else if (range.registered) {
                lines.add(range + ": " + names);
            }
        });
        return lines;
    }

    /** Names the collectives, with the mode of those that are selected only in place or only out of place. */
    private static String collectives(List<ChosenProgram> choices) {
        Set<String> names = new LinkedHashSet<>();
        for (ChosenProgram choice : choices) {
            Collective collective = choice.spec().collective();
            long modes = choices.stream()
                    .filter(other -> other.spec().collective() == collective)
                    .count();
            names.add(collective.label() + (modes == 2 ? "" : choice.spec().inPlace() ? " in place" : " out of place"));
        }
        return String.join(", ", names);
    }
}

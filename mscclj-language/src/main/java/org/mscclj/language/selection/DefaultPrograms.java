package org.mscclj.language.selection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.preference.ProgramPreference;

/**
 * The programs that a communicator chooses if no plans are registered and the memory of each node's ranks can be
 * mapped.
 */
public final class DefaultPrograms {
    private DefaultPrograms() {}

    /**
     * The choices, by collective, in place and out of place, for root 0; sizes ascend without gaps. A collective that
     * no program serves on this number of ranks has none.
     *
     * @param preference thresholds of the kind of machine
     */
    public static List<ChosenProgram> of(int ranks, int ranksPerNode, ProgramPreference preference) {
        List<ChosenProgram> all = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            for (boolean inPlace : new boolean[] {false, true}) {
                ProgramSpec spec = ProgramSpec.of(collective, ranks)
                        .ranksPerNode(ranksPerNode)
                        .inPlace(inPlace);
                if (ShippedProgram.PORT.refusal(spec).isEmpty()) {
                    all.addAll(choices(spec, true, preference));
                    all.addAll(choices(spec, false, preference));
                }
            }
        }
        return all;
    }

    /** These choices, each program once. A plan does not depend on whether buffers are registered. */
    public static List<SizedProgram> sized(int ranks, int ranksPerNode, ProgramPreference preference) {
        Map<ProgramChoice, SizedProgram> all = new LinkedHashMap<>();
        for (ChosenProgram choice : of(ranks, ranksPerNode, preference)) {
            SizedProgram sized =
                    new SizedProgram(choice.program(), choice.spec(), choice.leastBytes(), choice.mostBytes());
            all.merge(new ProgramChoice(choice.program(), choice.spec()), sized, SizedProgram::and);
        }
        return List.copyOf(all.values());
    }

    private static List<ChosenProgram> choices(ProgramSpec spec, boolean registered, ProgramPreference preference) {
        List<Long> starts = new ArrayList<>(List.of(0L));
        starts.addAll(new ProgramRanking(preference).steps(spec.ranks()));
        List<ChosenProgram> choices = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            long most = i + 1 < starts.size() ? starts.get(i + 1) - 1 : ChosenProgram.NO_LIMIT;
            Optional<ProgramChoice> choice = find(spec, registered, starts.get(i), preference, new ArrayList<>());
            if (choice.isEmpty()) {
                return List.of(); // for messages of all sizes: programs are refused for their ranks
            }
            ChosenProgram next =
                    new ChosenProgram(choice.get().program(), choice.get().spec(), registered, starts.get(i), most);
            ChosenProgram last = choices.isEmpty() ? next : choices.getLast();
            if (!choices.isEmpty()
                    && last.program() == next.program()
                    && last.spec().equals(next.spec())) {
                choices.removeLast();
            } else {
                last = next;
            }
            choices.add(new ChosenProgram(next.program(), next.spec(), registered, last.leastBytes(), most));
        }
        return choices;
    }

    /**
     * The choice for a message.
     *
     * @param spec the request; the choice decides the number of blocks
     * @param registered whether peers can access input and output
     * @param messageBytes message size in bytes: that of the output for allgather, that of the input otherwise
     * @param preference thresholds of the kind of machine
     * @throws UnsupportedException if no program serves the message; the message has the reason for each program
     */
    public static ProgramChoice best(
            ProgramSpec spec, boolean registered, long messageBytes, ProgramPreference preference) {
        List<String> refusals = new ArrayList<>();
        return find(spec, registered, messageBytes, preference, refusals)
                .orElseThrow(() -> new UnsupportedException("no program serves " + spec.collective() + " on "
                        + spec.ranks() + " ranks: " + String.join("; ", refusals)));
    }

    /** Returns the choice for a message, like {@link #best}; empty if no program serves it. */
    public static Optional<ProgramChoice> find(
            ProgramSpec spec, boolean registered, long messageBytes, ProgramPreference preference) {
        return find(spec, registered, messageBytes, preference, new ArrayList<>());
    }

    private static Optional<ProgramChoice> find(
            ProgramSpec spec,
            boolean registered,
            long messageBytes,
            ProgramPreference preference,
            List<String> refusals) {
        MappingObstacles obstacles = spec.nodes() == 1
                ? MappingObstacles.NONE
                : new MappingObstacles(Optional.of("ranks are on several nodes"), Optional.empty());
        return ProgramChoice.best(
                spec,
                messageBytes,
                new SelectionContext(registered, true, obstacles, Optional.empty(), preference),
                refusals);
    }
}

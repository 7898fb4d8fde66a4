package org.mscclj.cli.plan;

import java.nio.file.Path;
import java.util.List;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ChosenProgram;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;
import org.mscclj.plan.text.MessageSizeRange;

/** Writes the shipped programs and the installed plans as JSON. A maximum size of null means no limit. */
final class ProgramsJson {
    private ProgramsJson() {}

    static String of(
            WorldOptions.World world,
            boolean gpu,
            List<ChosenProgram> choices,
            Path directory,
            List<InstalledPlan> installed) {
        return JsonWriter.document(JsonLayout.REPORT, json -> {
            json.beginObject();
            json.field("ranks", world.ranks());
            json.field("ranks_per_node", world.ranksPerNode());
            json.field("gpu", gpu);
            json.beginArray("programs");
            for (ShippedProgram program : ShippedProgram.values()) {
                program(json, program, choices);
            }
            json.end();
            json.field("directory", directory.toString());
            json.beginArray("installed");
            installed.forEach(plan -> installed(json, plan));
            json.end();
            json.end();
        });
    }

    private static void program(JsonWriter json, ShippedProgram program, List<ChosenProgram> choices) {
        ProgramNeeds needs = ProgramNeeds.of(program);
        json.beginObject();
        json.field("name", program.label());
        json.beginArray("collectives");
        program.collectives().forEach(collective -> json.value(collective.label()));
        json.end();
        json.field("worlds", ProgramsText.worlds(program));
        json.field("mapped_peers", needs.peers());
        json.field("registered_buffers", needs.registeredBuffers());
        json.field("port_channels", needs.portChannels());
        json.field("switch", needs.multicast());
        json.beginArray("chosen");
        choices.stream().filter(choice -> choice.program() == program).forEach(choice -> choice(json, choice));
        json.end();
        json.end();
    }

    private static void choice(JsonWriter json, ChosenProgram choice) {
        json.beginObject();
        json.field("collective", choice.spec().collective().label());
        json.field("in_place", choice.spec().inPlace());
        json.field("registered_buffers", choice.registered());
        json.field("blocks", choice.spec().blocks());
        json.field("threads", choice.spec().threads());
        sizes(json, choice.leastBytes(), choice.mostBytes());
        json.end();
    }

    private static void installed(JsonWriter json, InstalledPlan installed) {
        json.beginObject();
        json.field("file", installed.file());
        installed
                .plan()
                .ifPresentOrElse(
                        plan -> {
                            json.field("name", plan.name());
                            json.field("collective", plan.collective().label());
                            json.field("ranks", plan.worldSize());
                            json.field("in_place", plan.inPlace());
                            sizes(json, plan.minMessageSize(), plan.maxMessageSize());
                        },
                        () -> json.field("error", installed.fault()));
        json.end();
    }

    private static void sizes(JsonWriter json, long least, long most) {
        json.field("min_size", least);
        if (MessageSizeRange.isLimited(most)) {
            json.field("max_size", most);
        } else {
            json.nullField("max_size");
        }
    }
}

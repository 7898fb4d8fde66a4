package org.mscclj.cli.plan;

import java.nio.file.Path;
import java.util.List;
import org.mscclj.cli.report.JsonText;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ChosenProgram;
import org.mscclj.plan.text.MessageSizeRange;
import tools.jackson.core.JsonGenerator;

/** Writes the shipped programs and the installed plans as JSON. A maximum size of null means no limit. */
final class ProgramsJson {
    private ProgramsJson() {}

    static String of(
            WorldOptions.World world, List<ChosenProgram> choices, Path directory, List<InstalledPlan> installed) {
        return JsonText.of(json -> {
            json.writeStartObject();
            json.writeNumberProperty("ranks", world.ranks());
            json.writeNumberProperty("ranks_per_node", world.ranksPerNode());
            json.writeArrayPropertyStart("programs");
            for (ShippedProgram program : ShippedProgram.values()) {
                program(json, program, choices);
            }
            json.writeEndArray();
            json.writeStringProperty("directory", directory.toString());
            json.writeArrayPropertyStart("installed");
            installed.forEach(plan -> installed(json, plan));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void program(JsonGenerator json, ShippedProgram program, List<ChosenProgram> choices) {
        ProgramNeeds needs = ProgramNeeds.of(program);
        json.writeStartObject();
        json.writeStringProperty("name", program.label());
        json.writeArrayPropertyStart("collectives");
        program.collectives().forEach(collective -> json.writeString(collective.label()));
        json.writeEndArray();
        json.writeStringProperty("worlds", ProgramsText.worlds(program));
        json.writeStringProperty("mapped_peers", needs.peers());
        json.writeBooleanProperty("registered_buffers", needs.registeredBuffers());
        json.writeBooleanProperty("port_channels", needs.portChannels());
        json.writeBooleanProperty("switch", needs.multicast());
        json.writeArrayPropertyStart("chosen");
        choices.stream().filter(choice -> choice.program() == program).forEach(choice -> choice(json, choice));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void choice(JsonGenerator json, ChosenProgram choice) {
        json.writeStartObject();
        json.writeStringProperty("collective", choice.spec().collective().label());
        json.writeBooleanProperty("in_place", choice.spec().inPlace());
        json.writeBooleanProperty("registered_buffers", choice.registered());
        json.writeNumberProperty("blocks", choice.spec().blocks());
        sizes(json, choice.leastBytes(), choice.mostBytes());
        json.writeEndObject();
    }

    private static void installed(JsonGenerator json, InstalledPlan installed) {
        json.writeStartObject();
        json.writeStringProperty("file", installed.file());
        installed
                .plan()
                .ifPresentOrElse(
                        plan -> {
                            json.writeStringProperty("name", plan.name());
                            json.writeStringProperty(
                                    "collective", plan.collective().label());
                            json.writeNumberProperty("ranks", plan.worldSize());
                            json.writeBooleanProperty("in_place", plan.inPlace());
                            sizes(json, plan.minMessageSize(), plan.maxMessageSize());
                        },
                        () -> json.writeStringProperty("error", installed.fault()));
        json.writeEndObject();
    }

    private static void sizes(JsonGenerator json, long least, long most) {
        json.writeNumberProperty("min_size", least);
        if (MessageSizeRange.isLimited(most)) {
            json.writeNumberProperty("max_size", most);
        } else {
            json.writeNullProperty("max_size");
        }
    }
}

package org.mscclj.runtime.dump;

import java.util.Locale;
import org.mscclj.api.Health;

/** The health of this process, as JSON; {@code mscclj debug health} reads it. */
final class HealthText {
    private HealthText() {}

    /** Returns an object. */
    static String of(Health health) {
        JsonWriter json = new JsonWriter()
                .begin('{')
                .field("process", ProcessHandle.current().pid())
                .field("healthy", health.healthy())
                .name("faults")
                .begin('[');
        health.faults()
                .forEach(fault -> json.begin('{')
                        .field("time", fault.time().toString())
                        .field("communicator", fault.communicator())
                        .field("rank", fault.rank())
                        .field("kind", fault.kind().name().toLowerCase(Locale.ROOT))
                        .field("reason", fault.reason())
                        .end('}'));
        return json.end(']').field("moreFaults", health.moreFaults()).end('}').toString();
    }
}

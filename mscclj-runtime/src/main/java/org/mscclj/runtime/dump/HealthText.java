package org.mscclj.runtime.dump;

import java.util.Locale;
import org.mscclj.api.Health;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** The health of this process, as JSON; {@code mscclj debug health} reads it. */
final class HealthText {
    private HealthText() {}

    /** Returns an object. */
    static String of(Health health) {
        JsonWriter json = new JsonWriter(JsonLayout.LINES)
                .beginObject()
                .field("process", ProcessHandle.current().pid())
                .field("healthy", health.healthy())
                .beginArray("faults");
        health.faults()
                .forEach(fault -> json.beginObject()
                        .field("time", fault.time().toString())
                        .field("communicator", fault.communicator())
                        .field("rank", fault.rank())
                        .field("kind", fault.kind().name().toLowerCase(Locale.ROOT))
                        .field("reason", fault.reason())
                        .end());
        return json.end().field("moreFaults", health.moreFaults()).end().toString();
    }
}

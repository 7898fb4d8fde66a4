package org.mscclj.cli.debug;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mscclj.api.Fault;
import org.mscclj.api.Health;
import org.mscclj.plan.document.JsonWriter;

/**
 * The health of a process.
 *
 * @param process its process id
 * @param health the faults that it has had, if it has answered
 * @param problem why its health is unknown; empty if it has answered
 */
record ProcessHealth(long process, Health health, Optional<String> problem) {
    /** Reads an answer. Empty for a process that has ended before it could answer. */
    static Optional<ProcessHealth> of(ProcessAnswer<HealthReading> answer) {
        if (answer.late()) {
            return Optional.of(unknown(answer.process(), "it " + answer.silence()));
        }
        return answer.answer()
                .map(said -> said.health()
                        .map(health -> new ProcessHealth(answer.process(), health, Optional.empty()))
                        .orElseGet(() -> unknown(
                                answer.process(), "its answer has no health; it may run another version of mscclj")));
    }

    private static ProcessHealth unknown(long process, String problem) {
        return new ProcessHealth(process, new Health(List.of(), 0), Optional.of(problem));
    }

    /** Whether the process is healthy; false if that is unknown. */
    boolean healthy() {
        return problem.isEmpty() && health.healthy();
    }

    /** Returns a line with the first fault, which is the most informative one, and the number of further faults. */
    @Override
    public String toString() {
        return "process " + process + ": "
                + (healthy() ? "healthy" : "not healthy: " + problem.orElseGet(this::faults));
    }

    private String faults() {
        long others = health.faults().size() - 1 + health.moreFaults();
        return describe(health.faults().getFirst()) + (others == 0 ? "" : ", and " + others + " more");
    }

    private static String describe(Fault fault) {
        String place = fault.communicator() + ", rank " + fault.rank() + ": ";
        return fault.time().truncatedTo(ChronoUnit.SECONDS) + ": "
                + (fault.reason().startsWith(place) ? "" : place) + fault.reason();
    }

    /** Writes this as a JSON object. */
    void write(JsonWriter json) {
        json.beginObject();
        json.field("process", process);
        json.field("healthy", healthy());
        problem.ifPresent(text -> json.field("problem", text));
        json.beginArray("faults");
        for (Fault fault : health.faults()) {
            json.beginObject();
            json.field("time", fault.time().toString());
            json.field("communicator", fault.communicator());
            json.field("rank", fault.rank());
            json.field("kind", fault.kind().name().toLowerCase(Locale.ROOT));
            json.field("reason", fault.reason());
            json.end();
        }
        json.end();
        json.field("moreFaults", health.moreFaults());
        json.end();
    }
}

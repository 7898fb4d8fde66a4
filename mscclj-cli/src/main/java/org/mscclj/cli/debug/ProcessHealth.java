package org.mscclj.cli.debug;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mscclj.api.Fault;
import org.mscclj.api.Health;
import tools.jackson.core.JsonGenerator;

/**
 * Whether a process is healthy.
 *
 * @param process its number
 * @param health the faults that it has had, if it has said so
 * @param problem why it is not known whether it is healthy; empty if it has said so
 */
record ProcessHealth(long process, Health health, Optional<String> problem) {
    /** What a process has answered. One that has ended before it could is none. */
    static Optional<ProcessHealth> of(ProcessAnswer<HealthReading> answer) {
        if (answer.late()) {
            return Optional.of(unknown(answer.process(), "it " + answer.silence()));
        }
        return answer.said()
                .map(said -> said.health()
                        .map(health -> new ProcessHealth(answer.process(), health, Optional.empty()))
                        .orElseGet(() ->
                                unknown(answer.process(), "it does not say; it may run another version of mscclj")));
    }

    private static ProcessHealth unknown(long process, String problem) {
        return new ProcessHealth(process, new Health(List.of(), 0), Optional.of(problem));
    }

    /** What is not known to be healthy is not. */
    boolean healthy() {
        return problem.isEmpty() && health.healthy();
    }

    /** A line: the first fault, which tells most, and how many more. */
    @Override
    public String toString() {
        return "process " + process + ": "
                + (healthy() ? "healthy" : "not healthy: " + problem.orElseGet(this::faults));
    }

    private String faults() {
        long others = health.faults().size() - 1 + health.moreFaults();
        return words(health.faults().getFirst()) + (others == 0 ? "" : ", and " + others + " more");
    }

    private static String words(Fault fault) {
        String place = fault.communicator() + ", rank " + fault.rank() + ": ";
        return fault.time().truncatedTo(ChronoUnit.SECONDS) + ": "
                + (fault.reason().startsWith(place) ? "" : place) + fault.reason();
    }

    /** An object. */
    void write(JsonGenerator json) {
        json.writeStartObject();
        json.writeNumberProperty("process", process);
        json.writeBooleanProperty("healthy", healthy());
        problem.ifPresent(words -> json.writeStringProperty("problem", words));
        json.writeArrayPropertyStart("faults");
        for (Fault fault : health.faults()) {
            json.writeStartObject();
            json.writeStringProperty("time", fault.time().toString());
            json.writeStringProperty("communicator", fault.communicator());
            json.writeNumberProperty("rank", fault.rank());
            json.writeStringProperty("kind", fault.kind().name().toLowerCase(Locale.ROOT));
            json.writeStringProperty("reason", fault.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberProperty("moreFaults", health.moreFaults());
        json.writeEndObject();
    }
}

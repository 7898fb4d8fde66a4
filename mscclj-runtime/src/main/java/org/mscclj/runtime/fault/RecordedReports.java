package org.mscclj.runtime.fault;

import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.LaunchReporter;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.LaunchPlace;

/**
 * Answers questions about launches from a recorder.
 *
 * @param recorder recorder of the rank that is asked
 */
public record RecordedReports(FlightRecorder recorder) implements LaunchReporter {
    @Override
    public LaunchReport report(long sequence) {
        long launches = recorder.taken();
        if (sequence == 0) {
            return LaunchReport.of(launches);
        }
        long completed = recorder.completed();
        Optional<LaunchPlace> messages = recorder.firstInFlight().filter(LaunchPlace::messages);
        return new LaunchReport(
                launches,
                completed,
                recorder.fingerprint(sequence),
                recorder.describe(sequence).orElse(""),
                recorder.describe(completed).orElse(""),
                messages.flatMap(recorder::describe).orElse(""),
                messages.map(recorder::awaited).orElseGet(List::of));
    }
}

package org.mscclj.runtime.fault;

import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.LaunchReporter;
import org.mscclj.runtime.recorder.FlightRecorder;

/**
 * Reports what a recorder holds.
 *
 * @param recorder of the rank that is asked
 */
public record RecordedReports(FlightRecorder recorder) implements LaunchReporter {
    @Override
    public LaunchReport report(long sequence) {
        long launches = recorder.taken();
        if (sequence == 0) {
            return LaunchReport.of(launches);
        }
        long completed = recorder.completed();
        return new LaunchReport(
                launches,
                completed,
                recorder.words(sequence).orElse(""),
                recorder.words(completed).orElse(""),
                recorder.messagesInFlight().orElse(""),
                recorder.awaited());
    }
}

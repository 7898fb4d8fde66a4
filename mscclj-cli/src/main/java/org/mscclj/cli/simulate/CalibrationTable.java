package org.mscclj.cli.simulate;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.mscclj.plan.simulate.calibrate.Calibration;

/** Prints how well a topology fits, before and after. */
final class CalibrationTable {
    private static final double PERCENT = 100;
    private static final double NANOS_PER_MICRO = 1e3;

    private final PrintWriter out;

    CalibrationTable(PrintWriter out) {
        this.out = out;
    }

    void print(Calibration calibration, CalibrationSamples samples) {
        out.printf(
                Locale.ROOT,
                "# calibrated: launch times %.3f, latencies and costs times %.3f, links times %.3f, blocks times %.3f%n",
                calibration.launchFactor(),
                calibration.latencyFactor(),
                calibration.linkFactor(),
                calibration.blockFactor());
        if (!samples.others().isEmpty()) {
            out.println("# left out, as they are no shipped algorithms: " + String.join(", ", samples.others()));
        }
        out.printf(
                "#%13s %18s %12s %12s %8s %12s %8s%n",
                "size", "algorithm", "measured", "before", "error", "after", "error");
        out.printf("#%13s %18s %12s %12s %8s %12s %8s%n", "(B)", "", "(us)", "(us)", "(%)", "(us)", "(%)");
        for (Calibration.Fit fit : calibration.fits()) {
            out.printf(
                    Locale.ROOT,
                    "#%13d %18s %12.2f %12.2f %+8.0f %12.2f %+8.0f%n",
                    fit.measured().messageBytes(),
                    fit.measured().algorithm() + (fit.measured().inPlace() ? ", in place" : ""),
                    fit.measured().nanos() / NANOS_PER_MICRO,
                    fit.before() / NANOS_PER_MICRO,
                    PERCENT * fit.errorBefore(),
                    fit.after() / NANOS_PER_MICRO,
                    PERCENT * fit.errorAfter());
        }
        out.printf(
                Locale.ROOT,
                "# mean absolute error: %.0f %% before, %.0f %% after%n#%n",
                PERCENT * mean(calibration, Calibration.Fit::errorBefore),
                PERCENT * mean(calibration, Calibration.Fit::errorAfter));
    }

    private static double mean(Calibration calibration, ToDoubleFunction<Calibration.Fit> error) {
        return calibration.fits().stream()
                .mapToDouble(error)
                .map(Math::abs)
                .average()
                .orElse(0);
    }
}

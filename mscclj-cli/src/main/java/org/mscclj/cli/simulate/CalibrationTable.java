package org.mscclj.cli.simulate;

import java.io.PrintWriter;
import java.util.Locale;
import org.mscclj.analysis.simulate.calibrate.Calibration;
import org.mscclj.analysis.simulate.calibrate.Factor;

/** Prints how well a topology fits the measurements, before and after calibration. */
final class CalibrationTable {
    private static final double NANOS_PER_MICRO = 1e3;

    private final PrintWriter out;

    CalibrationTable(PrintWriter out) {
        this.out = out;
    }

    void print(Calibration calibration, CalibrationSamples samples) {
        out.println("# calibrated: launch " + times(calibration.launch()) + ", latencies and costs "
                + times(calibration.latency()) + ", links " + times(calibration.links()) + ", blocks "
                + times(calibration.blocks()));
        samples.leftOut()
                .forEach((what, count) ->
                        out.println("# left out, " + count + (count == 1 ? " time" : " times") + " of " + what));
        out.printf(
                Locale.ROOT,
                "#%13s %18s %12s %12s %8s %12s %8s%n",
                "size",
                "algorithm",
                "measured",
                "before",
                "ratio",
                "after",
                "ratio");
        out.printf(Locale.ROOT, "#%13s %18s %12s %12s %8s %12s %8s%n", "(B)", "", "(us)", "(us)", "", "(us)", "");
        for (Calibration.Fit fit : calibration.fits()) {
            out.printf(
                    Locale.ROOT,
                    "#%13d %18s %12.2f %12.2f %8.2f %12.2f %8.2f%n",
                    fit.measured().messageBytes(),
                    fit.measured().algorithm() + (fit.measured().inPlace() ? ", in place" : ""),
                    fit.measured().nanos() / NANOS_PER_MICRO,
                    fit.before() / NANOS_PER_MICRO,
                    fit.ratioBefore(),
                    fit.after() / NANOS_PER_MICRO,
                    fit.ratioAfter());
        }
        out.printf(
                Locale.ROOT,
                "# typical error, as a factor: %.2f before, %.2f after; %.2f for times that a fit has not seen;"
                        + " the worst after %.2f%n#%n",
                calibration.typicalErrorBefore(),
                calibration.typicalErrorAfter(),
                calibration.leftOutError(),
                calibration.worstErrorAfter());
    }

    private static String times(Factor factor) {
        String note = factor.atBound()
                ? " (the bound of the search)"
                : factor.isDetermined() ? "" : " (these times say little of it)";
        return String.format(Locale.ROOT, "times %.3f%s", factor.value(), note);
    }
}

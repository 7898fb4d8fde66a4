package org.mscclj.cli.report;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import org.mscclj.analysis.html.Markup;

/**
 * A plot of lines over two logarithmic axes, as SVG. The lines have the classes line0, line1 and so on, to which the
 * document assigns colours.
 *
 * @param title the title above the plot
 * @param x the horizontal axis; powers of two are labelled
 * @param y the vertical axis; powers of ten are labelled
 * @param series the lines; points that are not positive are left out
 */
public record LogPlot(String title, Axis x, Axis y, List<Series> series) {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 16;
    private static final int TOP = 36;
    private static final int BOTTOM = 52;
    private static final int LABEL_WIDTH = 56;
    private static final int LEGEND_LINE = 18;

    /**
     * An axis.
     *
     * @param name the name, with its unit
     * @param label formats the label of a position
     */
    public record Axis(String name, DoubleFunction<String> label) {}

    /** One line of a plot. */
    public record Series(String name, List<Point> points) {
        /** Copies the list. */
        public Series {
            points = points.stream()
                    .filter(point -> point.x() > 0 && point.y() > 0)
                    .toList();
        }
    }

    /** One point of a line. */
    public record Point(double x, double y) {}

    /** Copies the list. */
    public LogPlot {
        series = List.copyOf(series);
    }

    /** Maps a value to a coordinate in the picture. */
    private record Scale(double least, double greatest, double base, double from, double to) {
        static Scale of(DoubleStream values, double base, double from, double to) {
            double[] exponents =
                    values.map(value -> Math.log(value) / Math.log(base)).toArray();
            double least = Math.floor(DoubleStream.of(exponents).min().orElse(0) + 1e-9);
            double greatest = Math.ceil(DoubleStream.of(exponents).max().orElse(1) - 1e-9);
            return new Scale(least, Math.max(greatest, least + 1), base, from, to);
        }

        double at(double value) {
            return atExponent(Math.log(value) / Math.log(base));
        }

        double atExponent(double exponent) {
            return from + (exponent - least) / (greatest - least) * (to - from);
        }
    }

    /** Returns the SVG. */
    public String svg() {
        Scale across = Scale.of(
                series.stream().flatMap(line -> line.points().stream()).mapToDouble(Point::x), 2, LEFT, WIDTH - RIGHT);
        Scale up = Scale.of(
                series.stream().flatMap(line -> line.points().stream()).mapToDouble(Point::y),
                10,
                HEIGHT - BOTTOM,
                TOP);
        StringBuilder svg = new StringBuilder();
        svg.append(text(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH, HEIGHT, Markup.escaped(title)));
        svg.append(text("<text class=\"title\" x=\"%d\" y=\"20\">%s</text>%n", LEFT, Markup.escaped(title)));
        grid(svg, across, up);
        for (int i = 0; i < series.size(); i++) {
            line(svg, i, across, up);
        }
        return svg.append("</svg>\n").toString();
    }

    private void grid(StringBuilder svg, Scale across, Scale up) {
        int bottom = HEIGHT - BOTTOM;
        int labels = (WIDTH - LEFT - RIGHT) / LABEL_WIDTH;
        int step = (int) Math.max(1, Math.ceil((across.greatest() - across.least()) / labels));
        for (double exponent = across.least(); exponent <= across.greatest(); exponent += step) {
            double at = across.atExponent(exponent);
            svg.append(text("<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", at, TOP, at, bottom));
            svg.append(text(
                    "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    at, bottom + 18, Markup.escaped(x.label().apply(Math.pow(2, exponent)))));
        }
        for (double exponent = up.least(); exponent <= up.greatest(); exponent++) {
            double at = up.atExponent(exponent);
            svg.append(text(
                    "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, at, WIDTH - RIGHT, at));
            svg.append(text(
                    "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    LEFT - 8, at + 4, Markup.escaped(y.label().apply(Math.pow(10, exponent)))));
        }
        svg.append(text(
                "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, Markup.escaped(x.name())));
        svg.append(text(
                "<text class=\"axis\" transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
                (TOP + bottom) / 2, Markup.escaped(y.name())));
    }

    private void line(StringBuilder svg, int index, Scale across, Scale up) {
        Series line = series.get(index);
        StringBuilder path = new StringBuilder();
        StringBuilder dots = new StringBuilder();
        for (Point point : line.points()) {
            double cx = across.at(point.x());
            double cy = up.at(point.y());
            path.append(text("%s%.1f %.1f", path.isEmpty() ? "M" : "L", cx, cy));
            dots.append(text(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%s</title></circle>%n",
                    cx,
                    cy,
                    Markup.escaped(line.name() + ", " + x.label().apply(point.x()) + ": "
                            + String.format(Locale.ROOT, "%.2f", point.y()))));
        }
        int legend = TOP + 14 + index * LEGEND_LINE;
        svg.append(text("<g class=\"line%d\">%n", index));
        if (!path.isEmpty()) {
            svg.append(text("<path d=\"%s\" fill=\"none\"/>%n", path)).append(dots);
        }
        svg.append(text("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", LEFT + 12, legend, LEFT + 36, legend));
        svg.append(text(
                "<text class=\"legend\" x=\"%d\" y=\"%d\">%s</text>%n",
                LEFT + 42, legend + 4, Markup.escaped(line.name())));
        svg.append("</g>\n");
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

package org.mscclj.analysis.picture;

import java.util.Locale;
import org.mscclj.analysis.simulate.timeline.Dependency;

/** Names of the arrows. */
final class DependencyLabels {
    private DependencyLabels() {}

    /** The key in styles and data. */
    static String key(Dependency.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The text in the legend. */
    static String label(Dependency.Kind kind) {
        return switch (kind) {
            case SIGNAL -> "signal";
            case PACKETS -> "packets";
            case SEMAPHORE -> "semaphore";
            case BARRIER -> "barrier";
            case PROXY -> "to or from a proxy";
        };
    }
}

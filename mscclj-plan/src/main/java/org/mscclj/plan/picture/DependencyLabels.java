package org.mscclj.plan.picture;

import java.util.Locale;
import org.mscclj.plan.simulate.Dependency;

/** How arrows are named. */
final class DependencyLabels {
    private DependencyLabels() {}

    /** In styles and data. */
    static String key(Dependency.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** In the legend. */
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

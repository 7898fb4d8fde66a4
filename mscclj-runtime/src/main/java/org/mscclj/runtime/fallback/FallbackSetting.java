package org.mscclj.runtime.fallback;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/** The collectives that a user gives to the fallback, whatever else could serve them; equal on all ranks. */
public final class FallbackSetting {
    /** The environment variable with the collectives, separated by commas, or {@code all}. */
    public static final String VARIABLE = "MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION";

    /** MSCCL++'s name of that variable; {@link #VARIABLE} has precedence. */
    public static final String MSCCLPP_VARIABLE = "MSCCLPP_FORCE_NCCL_FALLBACK_OPERATION";

    /** The system property that sets the collectives; it has precedence over both variables. */
    public static final String PROPERTY = "mscclj.force.nccl.fallback.operation";

    private static final String ALL = "all";

    /** What a fallback may serve. */
    private static final Set<Collective> COLLECTIVES =
            EnumSet.complementOf(EnumSet.of(Collective.SENDRECV, Collective.TEST));

    private FallbackSetting() {}

    /**
     * Returns the collectives that this process gives to the fallback.
     *
     * @throws InvalidArgumentException if the setting names something else
     */
    public static Set<Collective> ofProcess() {
        String property = System.getProperty(PROPERTY);
        return property == null ? of(System.getenv()) : parse(PROPERTY, property);
    }

    /**
     * Returns the collectives that an environment gives to the fallback.
     *
     * @throws InvalidArgumentException if a variable names something else
     */
    public static Set<Collective> of(Map<String, String> environment) {
        for (String variable : List.of(VARIABLE, MSCCLPP_VARIABLE)) {
            String text = environment.getOrDefault(variable, "");
            if (!text.isBlank()) {
                return parse(variable, text);
            }
        }
        return Set.of();
    }

    private static Set<Collective> parse(String variable, String text) {
        Set<Collective> forced = EnumSet.noneOf(Collective.class);
        for (String part : text.split(",", -1)) {
            String name = part.strip().toLowerCase(Locale.ROOT);
            if (name.equals(ALL)) {
                forced.addAll(COLLECTIVES);
            } else {
                forced.add(COLLECTIVES.stream()
                        .filter(collective -> collective.label().equals(name))
                        .findFirst()
                        .orElseThrow(() -> InvalidArgumentException.of(
                                variable,
                                '"' + text + '"',
                                "all, or collectives with commas between them: "
                                        + COLLECTIVES.stream()
                                                .map(Collective::label)
                                                .collect(Collectors.joining(", ")))));
            }
        }
        return forced;
    }
}

package org.mscclj.runtime.settings;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.device.StreamPriority;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Flag;
import org.mscclj.api.option.Hints;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.option.KnownHint.Scope;

/**
 * The hints of a group of ranks and of their calls. A hint that cannot be followed is refused if hints are strict, and
 * otherwise logged once. Safe for use by several threads.
 */
public final class GroupHints {
    /** The environment variable that makes hints strict if the options do not decide. */
    static final String STRICT_VARIABLE = "MSCCLJ_STRICT_HINTS";

    /** The environment variable that turns {@link KnownHint#NAN_CHECK} on if the hints do not decide. */
    static final String NAN_CHECK_VARIABLE = "MSCCLJ_NAN_CHECK";

    /**
     * Maximum number of warnings that are logged once each; further warnings are dropped, so that a program with ever
     * new hints does not fill the log.
     */
    private static final int MAX_LOGGED = 256;

    private final Hints hints;
    private final boolean strict;
    private final boolean checksNan;
    private final System.Logger logger;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    GroupHints(Hints hints, boolean strict, boolean checksNan, System.Logger logger) {
        this.hints = hints;
        this.strict = strict;
        this.checksNan = isOn(KnownHint.NAN_CHECK, hints, checksNan);
        this.logger = logger;
        check(hints, Scope.COMMUNICATOR);
    }

    /**
     * Returns the hints of a group.
     *
     * @param strict choice of the options; empty for the choice of the environment
     * @throws InvalidArgumentException if a hint cannot be followed and hints are strict, or if a variable has a bad
     *     value
     */
    public static GroupHints of(Hints hints, Optional<Boolean> strict, Map<String, String> environment) {
        return new GroupHints(
                hints,
                strict.orElseGet(() -> Flag.of(environment, STRICT_VARIABLE, false)),
                Flag.of(environment, NAN_CHECK_VARIABLE, false),
                System.getLogger(GroupHints.class.getName()));
    }

    /** Returns no hints. Hints of calls that cannot be followed are logged. */
    public static GroupHints none() {
        return of(Hints.NONE, Optional.of(false), Map.of());
    }

    /**
     * Checks the hints of a call.
     *
     * @throws InvalidArgumentException if a hint cannot be followed and hints are strict
     */
    public void checkCall(Hints ofCall) {
        if (!ofCall.isEmpty()) {
            check(ofCall, Scope.CALL);
        }
    }

    /** Returns the priority of communicators' own streams. */
    public StreamPriority streamPriority() {
        return KnownHint.HIGH_PRIORITY_STREAM.in(hints).filter("true"::equals).isPresent()
                ? StreamPriority.HIGH
                : StreamPriority.NORMAL;
    }

    /**
     * Returns whether ranks check the input of a call for NaN before they launch it. Allocates nothing if the call has
     * no hints.
     */
    public boolean checksNan(Hints ofCall) {
        return ofCall.isEmpty() ? checksNan : isOn(KnownHint.NAN_CHECK, ofCall, checksNan);
    }

    private static boolean isOn(KnownHint hint, Hints given, boolean otherwise) {
        return hint.in(given)
                .filter(hint.allowedValues()::contains)
                .map("true"::equals)
                .orElse(otherwise);
    }

    private void check(Hints given, Scope scope) {
        given.asMap().forEach((key, value) -> problem(given, scope, key, value).ifPresent(this::refuse));
    }

    private void refuse(String problem) {
        if (strict) {
            throw new InvalidArgumentException(problem);
        }
        if (logged.size() < MAX_LOGGED && logged.add(problem)) {
            logger.log(
                    Level.WARNING,
                    problem + "; it is ignored, and refused with strictHints or " + STRICT_VARIABLE + "=1");
        }
    }

    private static Optional<String> problem(Hints given, Scope scope, String key, String value) {
        Optional<KnownHint> known = KnownHint.of(key);
        if (known.isEmpty()) {
            return Optional.of("hint " + key + " is not known; allowed for a " + name(scope) + ": " + allowed(scope));
        }
        KnownHint hint = known.get();
        if (!hint.scopes().contains(scope)) {
            return Optional.of("hint " + key + " means nothing to a " + name(scope) + "; give it to a "
                    + hint.scopes().stream().map(GroupHints::name).collect(Collectors.joining(" or a ")));
        }
        if (!hint.allowedValues().contains(value)) {
            return Optional.of(
                    "hint " + key + " is \"" + value + "\"; allowed: " + String.join(" or ", hint.allowedValues()));
        }
        return hint.in(given)
                .filter(first -> !first.equals(value))
                .map(first -> "hint " + key + " is " + value + ", but " + hint.key() + ", which means the same, is "
                        + first + "; give one of them");
    }

    private static String allowed(Scope scope) {
        String keys = Stream.of(KnownHint.values())
                .filter(hint -> hint.scopes().contains(scope))
                .map(KnownHint::key)
                .collect(Collectors.joining(", "));
        return keys.isEmpty() ? "none" : keys;
    }

    private static String name(Scope scope) {
        return switch (scope) {
            case COMMUNICATOR -> "communicator";
            case CALL -> "call";
        };
    }
}

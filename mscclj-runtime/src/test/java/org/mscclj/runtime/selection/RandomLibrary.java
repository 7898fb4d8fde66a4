package org.mscclj.runtime.selection;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.fallback.FallbackCall;
import org.mscclj.runtime.fallback.FallbackCandidate;
import org.mscclj.runtime.fallback.FallbackSetting;

/**
 * A fallback that is not installed, cannot be used, or serves some types, and that the user gives some collectives.
 *
 * @param installed whether it is for devices of the backend
 * @param usable whether its library is found
 * @param types what it reduces and moves
 * @param inPlace whether it serves calls in place
 * @param forced the collectives that a variable gives to it
 */
record RandomLibrary(boolean installed, boolean usable, Set<DataType> types, boolean inPlace, Set<Collective> forced)
        implements FallbackCandidate {
    static final String NAME = "library";

    static RandomLibrary of(Random random, Collective collective) {
        return new RandomLibrary(
                random.nextInt(4) > 0,
                random.nextInt(4) > 0,
                random.nextBoolean() ? EnumSet.allOf(DataType.class) : EnumSet.of(DataType.INT8),
                random.nextInt(4) > 0,
                FallbackSetting.of(environment(random, collective)));
    }

    /** A user sets one of two variables, or neither. */
    private static Map<String, String> environment(Random random, Collective collective) {
        String variable = random.nextBoolean() ? FallbackSetting.VARIABLE : FallbackSetting.MSCCLPP_VARIABLE;
        return switch (random.nextInt(8)) {
            case 0 -> Map.of(variable, collective.label());
            case 1 -> Map.of(variable, random.nextBoolean() ? "all" : "broadcast, alltoall");
            default -> Map.of();
        };
    }

    /** Returns why it cannot serve a call; empty if it can. */
    Optional<String> refusal(FallbackCall call) {
        return !usable
                ? Optional.of("it was not found")
                : !types.contains(call.type())
                        ? Optional.of("it does not have " + call.type())
                        : call.inPlace() && !inPlace ? Optional.of("it works out of place") : Optional.empty();
    }

    @Override
    public boolean isForced(Collective collective) {
        return forced.contains(collective);
    }

    @Override
    public boolean isNamed(String name) {
        return name.equals(NAME);
    }

    @Override
    public Optional<Found> find(FallbackCall call) {
        return installed ? Optional.of(new Found(NAME, usable, refusal(call))) : Optional.empty();
    }
}

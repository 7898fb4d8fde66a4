package org.mscclj.transport.nvls;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.option.Flag;

/**
 * Whether the owner of the machine has turned multicast on. It is off by default, because a wrong use of it can take
 * the GPUs of other users out of service.
 */
final class NvlsSwitch {
    /** The variable that turns multicast on or off. */
    static final String VARIABLE = "MSCCLJ_NVLS";

    /** The system property that turns it on where no variable turns it off. */
    static final String PROPERTY = "mscclj.nvls";

    /** NCCL's variable: 0 turns multicast off. */
    static final String NCCL = "NCCL_NVLS_ENABLE";

    /** MSCCL++'s variable: 1 turns multicast off. */
    static final String MSCCLPP = "MSCCLPP_FORCE_DISABLE_NVLS";

    private static final Set<String> NO = Set.of("", "0", "false", "no", "off", "n", "f");

    private NvlsSwitch() {}

    /**
     * Returns why multicast is off; empty if it is on.
     *
     * @param property the value of the system property, if it is set
     * @throws org.mscclj.api.error.InvalidArgumentException if {@link #VARIABLE} or the property has a bad value
     */
    static Optional<String> off(Map<String, String> environment, Optional<String> property) {
        boolean on = Flag.of(environment, VARIABLE, false);
        boolean wanted = Flag.parse(PROPERTY, property.orElse(""), on);
        if (isSet(environment, VARIABLE) && !on) {
            return Optional.of("it is turned off by " + VARIABLE + "=" + environment.get(VARIABLE));
        }
        if (isSet(environment, NCCL) && isNo(environment, NCCL)) {
            return Optional.of("it is turned off by " + NCCL + "=" + environment.get(NCCL));
        }
        if (!isNo(environment, MSCCLPP)) { // whatever it says: only a clear no leaves multicast on
            return Optional.of("it is turned off by " + MSCCLPP + "=" + environment.get(MSCCLPP));
        }
        if (wanted) {
            return Optional.empty();
        }
        return property.filter(text -> !text.isBlank())
                .map(text -> "it is turned off by the system property " + PROPERTY + "=" + text)
                .or(() -> Optional.of("it is off, as by default; the owner of the machine turns it on by " + VARIABLE
                        + "=on, after reading docs/nvls.md"));
    }

    private static boolean isSet(Map<String, String> environment, String variable) {
        return !environment.getOrDefault(variable, "").isBlank();
    }

    private static boolean isNo(Map<String, String> environment, String variable) {
        return NO.contains(environment.getOrDefault(variable, "").strip().toLowerCase(Locale.ROOT));
    }
}

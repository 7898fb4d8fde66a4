package org.mscclj.spi;

import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;

/** The common base of all providers. Implementations are stateless and have a public no-argument constructor. */
public interface Provider {
    /** Short, stable, lower-case name, for example {@code host}. */
    String name();

    /** Among available providers of one kind the highest priority is the default. */
    int priority();

    /** A short text that describes the provider, or the devices that it found, for example the device's model. */
    String description();

    /** Whether the provider can be used here. Never throws; cheap enough to be called at every start. */
    Availability probe();

    /**
     * Checks all environment variables of this provider, whether or not they matter now, and starts nothing. A provider
     * without variables need not override it.
     *
     * @throws InvalidArgumentException if a variable has a bad value; the message names the variable and the allowed
     *     values
     */
    default void requireValid(Map<String, String> environment) {}
}

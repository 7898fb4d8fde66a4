package org.mscclj.spi;

import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;

/** What every provider has in common. Implementations are stateless and have a public no-argument constructor. */
public interface Provider {
    /** Short, stable, lower-case name, for example {@code host}. */
    String name();

    /** Among available providers of one kind the highest priority is the default. */
    int priority();

    /** What it is, or what it found, in a few words, for example the device's model. */
    String description();

    /** Whether it can be used here. Never throws; cheap enough to be called at every start. */
    Availability probe();

    /**
     * Reads all environment variables of this provider, whether or not they matter now, and starts nothing. A provider
     * without variables need not override it.
     *
     * @throws InvalidArgumentException if one has a bad value; names it and what is allowed
     */
    default void requireValid(Map<String, String> environment) {}
}

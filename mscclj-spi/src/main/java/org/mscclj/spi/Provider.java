package org.mscclj.spi;

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
}

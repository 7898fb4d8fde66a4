package org.mscclj.api;

import java.util.Optional;

/**
 * An installed provider and whether it can be used here.
 *
 * @param name the provider's name, for example {@code host}
 * @param priority among providers of its kind; the highest available one is the default
 * @param description a text that describes the provider, or the devices that it found
 * @param unavailable why it cannot be used and what to do about it; empty if it can
 */
public record ProviderStatus(String name, int priority, String description, Optional<String> unavailable) {}

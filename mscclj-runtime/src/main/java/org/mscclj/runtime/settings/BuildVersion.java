package org.mscclj.runtime.settings;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;

/** Version of this build of the runtime. */
public final class BuildVersion {
    /** Version of a runtime that is not loaded from a jar. */
    static final String UNKNOWN = "development";

    private BuildVersion() {}

    /** Returns the jar's version: from its module descriptor, or on the class path from its manifest. */
    public static String text() {
        return Optional.ofNullable(BuildVersion.class.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion)
                .or(() -> Optional.ofNullable(BuildVersion.class.getPackage().getImplementationVersion()))
                .orElse(UNKNOWN);
    }
}

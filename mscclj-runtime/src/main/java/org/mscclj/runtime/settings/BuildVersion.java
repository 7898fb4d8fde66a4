package org.mscclj.runtime.settings;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;

/** Which build of the runtime this is. */
public final class BuildVersion {
    /** What a runtime says that comes from no jar. */
    static final String UNKNOWN = "development";

    private BuildVersion() {}

    /** The jar's version: by its module descriptor, or on the class path by its manifest. */
    public static String text() {
        return Optional.ofNullable(BuildVersion.class.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion)
                .or(() -> Optional.ofNullable(BuildVersion.class.getPackage().getImplementationVersion()))
                .orElse(UNKNOWN);
    }
}

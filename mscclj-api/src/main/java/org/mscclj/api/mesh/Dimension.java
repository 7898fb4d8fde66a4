package org.mscclj.api.mesh;

import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A direction of a mesh.
 *
 * @param name for example {@code data} or {@code tensor}
 * @param size number of ranks in this direction
 */
public record Dimension(String name, int size) {
    /** Checks both. */
    public Dimension {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) {
            throw InvalidArgumentException.of("name of a dimension", '"' + name + '"', "a text that is not blank");
        }
        if (size < 1) {
            throw InvalidArgumentException.of("size of dimension " + name, size, "1 or more");
        }
    }

    /** For messages: {@code data 2}. */
    @Override
    public String toString() {
        return name + " " + size;
    }
}

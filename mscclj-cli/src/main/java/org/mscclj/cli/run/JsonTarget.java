package org.mscclj.cli.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.mscclj.api.error.InvalidArgumentException;

/** Where {@code --json} writes. */
final class JsonTarget {
    private JsonTarget() {}

    static void write(String target, String json, PrintWriter standardOutput) {
        if (target.equals("-")) {
            standardOutput.print(json);
            standardOutput.flush();
            return;
        }
        try {
            Files.writeString(Path.of(target), json);
        } catch (IOException | InvalidPathException e) {
            throw new InvalidArgumentException(
                    "--json is " + target + ", which cannot be written: " + e + "; name a file in a folder that exists",
                    e);
        }
    }
}

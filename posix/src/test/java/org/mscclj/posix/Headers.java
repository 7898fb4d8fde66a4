package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What Java has of the headers of the C library, which a C compiler compares with them. */
final class Headers {
    private static final String INCLUDES = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <fcntl.h>
            #include <linux/filter.h>
            #include <linux/futex.h>
            #include <semaphore.h>
            #include <stddef.h>
            #include <sys/mman.h>
            #include <sys/socket.h>
            #include <sys/syscall.h>
            #include <sys/time.h>
            #include <sys/uio.h>
            #include <sys/un.h>
            #include <time.h>
            """;

    private final List<String> checks = new ArrayList<>();

    /** Expects a constant expression in C to have a value. */
    Headers expect(long value, String expression) {
        return require("(" + expression + ") == " + value);
    }

    /** Expects a field to be at an offset, and to have a size, in bytes. */
    Headers expectField(long offset, long bytes, String type, String field) {
        return expect(offset, "offsetof(" + type + ", " + field + ")")
                .expect(bytes, "sizeof(((" + type + " *) 0)->" + field + ")");
    }

    /** Expects a condition to hold. */
    Headers require(String condition) {
        checks.add("_Static_assert(" + condition + ", \"\");");
        return this;
    }

    /** Fails with all expectations that do not hold; skips the test where there is no C compiler. */
    void compare(Path folder) throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("checks.c"), INCLUDES + String.join("\n", checks) + "\n");
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-fsyntax-only", source.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException _) {
            assumeTrue(false, "there is no C compiler (cc), which knows what the C library's headers have");
            return;
        }
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, compiler.waitFor(), output);
    }
}

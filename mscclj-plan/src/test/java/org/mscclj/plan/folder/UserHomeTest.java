package org.mscclj.plan.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserHomeTest {
    private static final Path DATABASE = Path.of("/home/database");

    @TempDir
    Path folder;

    private int owner;

    @BeforeEach
    void lookAtOwner() throws Exception {
        owner = (Integer) Files.getAttribute(folder, "unix:uid");
    }

    private Path home(String named, int user) {
        return UserHome.of(Map.of("HOME", named), DATABASE, Optional.of(user));
    }

    @Test
    void isTheFolderNamedByTheVariable() {
        assertEquals(folder, home(folder.toString(), owner));
    }

    /** As after {@code sudo}, which may keep the variable. */
    @Test
    void isNotTheFolderOfAnotherUser() {
        assertEquals(DATABASE, home(folder.toString(), owner + 1));
    }

    @Test
    void isTheFolderInTheDatabaseIfTheVariableNamesNone() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        for (String named : new String[] {"", " ", "relative", file.toString(), folder + "/none", "\0"}) {
            assertEquals(DATABASE, home(named, owner), named);
        }
        assertEquals(DATABASE, UserHome.of(Map.of(), DATABASE, Optional.of(owner)));
        assertEquals(DATABASE, UserHome.of(Map.of("HOME", folder.toString()), DATABASE, Optional.empty()));
    }
}

package org.mscclj.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.CommandLineRun;

/**
 * The script {@code mscclj} builds the command once, and reports a failure in one line: it never waits without a
 * reason.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CheckoutTest {
    private static final long NO_PROCESS = 4_194_999; // beyond the largest number that Linux gives

    @TempDir
    private Path folder;

    private Checkout checkout;

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = Checkout.in(folder);
    }

    @Test
    void buildsOnceAndSaysWhereTheLogIs() throws IOException, InterruptedException {
        CommandLineRun first = checkout.run("info");
        assertEquals("started\n", first.out(), first.err());
        assertTrue(
                first.err()
                        .contains("log: " + checkout.file(".mscclj/build.log").toRealPath()),
                first.err());
        assertTrue(first.err().contains("takes one to three minutes"), first.err());
        CommandLineRun second = checkout.run("info");
        assertEquals(new CommandLineRun(0, "started\n", ""), second);
    }

    @Test
    void aFolderOfTheLockThatCannotBeWrittenIsOneLine() throws IOException, InterruptedException {
        checkout.tool("mkdir", """
                case $* in
                    *build.lock) echo "mkdir: cannot create directory: Read-only file system" >&2; exit 1 ;;
                esac
                exec /bin/mkdir "$@\"""");
        assertCannotWrite("Read-only file system");
    }

    @Test
    void aCheckoutThatCannotBeWrittenIsOneLine() throws IOException, InterruptedException {
        Files.writeString(checkout.file(".mscclj"), "a file where the folder would be");
        assertCannotWrite(".mscclj");
    }

    @Test
    void aSourceThatIsNewerInACheckoutThatCannotBeWrittenIsOneLine() throws IOException, InterruptedException {
        assertEquals(0, checkout.run("info").code());
        Files.setLastModifiedTime(
                checkout.file("pom.xml"), FileTime.from(Instant.now().plus(Duration.ofHours(1))));
        checkout.tool("rm", """
                case $* in
                    *target/lib*) echo "rm: cannot remove it: Permission denied" >&2; exit 1 ;;
                esac
                exec /bin/rm "$@\"""");
        assertCannotWrite("Permission denied");
    }

    @Test
    void aLockThatCannotBeTakenOverIsOneLine() throws IOException, InterruptedException {
        Files.createDirectories(checkout.file(".mscclj/build.lock"));
        Files.writeString(checkout.file(".mscclj/build.lock/pid"), NO_PROCESS + "\n");
        checkout.tool("mv", "echo 'mv: cannot move it: Read-only file system' >&2; exit 1");
        assertCannotWrite("Read-only file system");
    }

    @Test
    void theLockOfADeadBuildIsTakenOver() throws IOException, InterruptedException {
        Files.createDirectories(checkout.file(".mscclj/build.lock"));
        Files.writeString(checkout.file(".mscclj/build.lock/pid"), NO_PROCESS + "\n");
        assertEquals(0, checkout.run("info").code());
        assertFalse(Files.exists(checkout.file(".mscclj/build.lock")));
    }

    /** The first writes to a full disk fail at different places; {@code /dev/full} is one. */
    @Test
    void aDiskThatIsFullWhenTheLockIsWrittenIsOneLine() throws IOException, InterruptedException {
        checkout.tool("mkdir", """
                /bin/mkdir "$@" || exit
                case $* in
                    *build.lock) ln -s /dev/full "$1/pid" ;;
                esac""");
        assertCannotWrite("build.lock");
        assertFalse(Files.exists(checkout.file(".mscclj/build.lock")));
    }

    @Test
    void aDiskThatIsFullDuringTheBuildIsOneLine() throws IOException, InterruptedException {
        checkout.tool("mvn", "ln -s /dev/full .mscclj/build.lock/room; exit 1");
        CommandLineRun run = checkout.run("info");
        assertEquals(2, run.code(), run.err());
        assertTrue(run.errors().getLast().startsWith("mscclj: cannot write to "), run.err());
    }

    @Test
    void aBuildThatFailsShowsItsErrorsAndNamesItsLog() throws IOException, InterruptedException {
        checkout.tool("mvn", "echo '[INFO] building'; echo '[ERROR] no such symbol'; exit 1");
        CommandLineRun run = checkout.run("info");
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains("[ERROR] no such symbol"), run.err());
        assertTrue(run.errors().getLast().contains("build.log"), run.err());
        assertTrue(Files.readString(checkout.file(".mscclj/build.log")).contains("[INFO] building"));
    }

    @Test
    void aPathThatJavaCannotNameIsOneLine() throws IOException, InterruptedException {
        CommandLineRun run = Checkout.in(folder.resolve("a:b")).run("info");
        assertEquals(2, run.code(), run.err());
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(run.err().contains("Java separates paths by ':'"), run.err());
    }

    private void assertCannotWrite(String reason) throws IOException, InterruptedException {
        CommandLineRun run = checkout.run("info");
        assertEquals(2, run.code(), run.err());
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(run.err().startsWith("mscclj: cannot write to "), run.err());
        assertTrue(run.err().contains(reason), run.err());
    }
}

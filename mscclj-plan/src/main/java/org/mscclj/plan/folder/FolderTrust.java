package org.mscclj.plan.folder;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.PlainText;

/**
 * Decides whether another user can change the content of a directory. A process that reads or executes files of such a
 * directory acts for that user.
 *
 * <p>A directory is trusted if it and all its parents belong to this user or the superuser, and no other user may write
 * to them. A parent that others may write to is allowed if it has the sticky bit, as {@code /tmp} has: then they can
 * neither rename nor replace the directory. Links in the path count as parents. File systems without Unix owners are
 * trusted.
 *
 * <p>A result stays valid: it depends on nothing that an untrusted user can change.
 */
public final class FolderTrust {
    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 022;
    private static final String UNIX = "unix";
    private static final String EVERYTHING = UNIX + ":uid,mode";
    private static final int SUPERUSER = 0;

    private final Set<Integer> owners;

    /** Parents that are trusted without a check. */
    private final Set<Path> trustedParents;

    /** Trusts these users; for tests. */
    public FolderTrust(Set<Integer> owners) {
        this(owners, Set.of());
    }

    private FolderTrust(Set<Integer> owners, Set<Path> trustedParents) {
        this.owners = Set.copyOf(owners);
        this.trustedParents = Set.copyOf(trustedParents);
    }

    /**
     * Trusts the user of this process, the superuser, and the parents of the program's own files: a user that can
     * replace these can replace the program.
     */
    public static FolderTrust ofUser() {
        Set<Integer> owners = new HashSet<>(Set.of(SUPERUSER));
        UserIds.ofProcess().ifPresent(owners::add);
        UserIds.ofNoUser().ifPresent(owners::add);
        return new FolderTrust(owners, parentsOfProgram());
    }

    private static Set<Path> parentsOfProgram() {
        CodeSource source = FolderTrust.class.getProtectionDomain().getCodeSource();
        try {
            Path program = source == null || source.getLocation() == null
                    ? null
                    : Path.of(source.getLocation().toURI()).toRealPath().getParent();
            return program == null ? Set.of() : Set.copyOf(withParents(program));
        } catch (URISyntaxException | IOException | IllegalArgumentException | FileSystemNotFoundException _) {
            return Set.of(); // the program is in no file, as in an image of jlink
        }
    }

    /** Trusts the owner of a file too: for files that come with the program, which that user can change anyway. */
    public FolderTrust andOwnerOf(Path file) {
        try {
            Set<Integer> more = new HashSet<>(owners);
            if (hasOwners(file)) {
                more.add((Integer) Files.getAttribute(file, UNIX + ":uid"));
            }
            return new FolderTrust(more, trustedParents);
        } catch (IOException _) {
            return this; // the file does not exist, so it has no owner
        }
    }

    /**
     * Describes why a directory is not trusted. A missing directory is trusted if only this user can create it.
     *
     * @return empty if it is trusted
     */
    public Optional<String> problem(Path folder) {
        if (!hasOwners(folder)) {
            return Optional.empty();
        }
        Path absolute = folder.toAbsolutePath().normalize();
        try {
            Set<Path> parents = new LinkedHashSet<>(withParents(absolute));
            Path there = absolute;
            while (!Files.exists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            Path real = there.toRealPath();
            parents.addAll(withParents(real));
            for (Path parent : parents) {
                if (trustedParents.contains(parent) && !parent.equals(real)) {
                    continue;
                }
                boolean last = parent.equals(absolute) || (parent.equals(real) && there.equals(absolute));
                Optional<String> problem = problem(parent, !last);
                if (problem.isPresent()) {
                    return problem;
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(PlainText.escape(folder + " cannot be examined: " + FileProblem.of(e)));
        }
    }

    /** Describes why a file is not trusted; links are not followed. Does not check its directory. */
    public Optional<String> problemOfFile(Path file) {
        if (!hasOwners(file)) {
            return Optional.empty();
        }
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    ? problem(file, false)
                    : Optional.of(PlainText.escape(file + " is not a regular file"));
        } catch (IOException e) {
            return Optional.of(PlainText.escape(file + " cannot be examined: " + FileProblem.of(e)));
        }
    }

    private Optional<String> problem(Path path, boolean stickyAllowed) throws IOException {
        Map<String, Object> attributes;
        try {
            attributes = Files.readAttributes(path, EVERYTHING, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException _) {
            return Optional.empty(); // this user will create it
        }
        int owner = number(attributes, "uid");
        if (!owners.contains(owner)) {
            return Optional.of(PlainText.escape(path.toString()) + " belongs to user id " + owner
                    + ", which can change its content");
        }
        int mode = number(attributes, "mode");
        boolean sticky = stickyAllowed && (mode & STICKY) != 0;
        if (!Files.isSymbolicLink(path) && (mode & WRITABLE_BY_OTHERS) != 0 && !sticky) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(PlainText.escape(path.toString()) + " has the permissions "
                    + PosixFilePermissions.toString(permissions) + ", which let other users change its content");
        }
        return Optional.empty();
    }

    private static int number(Map<String, Object> attributes, String name) {
        return (Integer) Objects.requireNonNull(attributes.get(name), name);
    }

    private static List<Path> withParents(Path path) {
        LinkedHashSet<Path> all = new LinkedHashSet<>();
        for (Path each = path; each != null; each = each.getParent()) {
            all.add(each);
        }
        return List.copyOf(all).reversed();
    }

    private static boolean hasOwners(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains(UNIX);
    }
}

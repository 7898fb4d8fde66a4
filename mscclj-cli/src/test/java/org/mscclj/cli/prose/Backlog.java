package org.mscclj.cli.prose;

import java.util.Set;

/**
 * Findings that are still to be mended in some folders at the root of the project.
 *
 * @param folders the folders, between which files may move
 * @param findings how many findings there are at most
 */
record Backlog(Set<String> folders, int findings) {
    static Backlog of(int findings, String... folders) {
        return new Backlog(Set.of(folders), findings);
    }
}

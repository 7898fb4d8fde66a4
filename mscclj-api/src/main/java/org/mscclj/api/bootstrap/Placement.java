package org.mscclj.api.bootstrap;

/** How it is known which ranks are on one node. */
public enum Placement {
    /** The ranks find out: those on one host are one node. */
    FOUND,
    /** The ranks find out, too. The launcher says that there are several hosts, so that ranks cannot meet by a file. */
    FOUND_ON_SEVERAL_HOSTS,
    /**
     * It was said: ranks are numbered node by node, equally many on each. A host may count as several nodes, but no
     * node spans hosts.
     */
    TOLD
}

package org.mscclj.api.bootstrap;

/** The source of the assignment of ranks to nodes. */
public enum Placement {
    /** The ranks find out: the ranks of one host are one node. */
    FOUND,
    /**
     * The ranks find out, too. The launcher states that there are several hosts, so that the rendezvous cannot be a
     * file.
     */
    FOUND_ON_SEVERAL_HOSTS,
    /**
     * The options state it: ranks are numbered node by node, with an equal number on each. A host may count as several
     * nodes, but no node spans hosts.
     */
    TOLD
}

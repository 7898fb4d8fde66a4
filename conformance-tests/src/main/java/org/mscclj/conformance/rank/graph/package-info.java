/** Checks of graphs: replays, their order, their branches, and what graphs hold. */
package org.mscclj.conformance.rank.graph;

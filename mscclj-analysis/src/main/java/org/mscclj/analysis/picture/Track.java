package org.mscclj.analysis.picture;

import java.util.List;

/**
 * One lane: the operations of a thread block, or of the proxy of a port channel.
 *
 * @param rank rank of its band
 * @param byProxy whether the lane is that of a proxy
 * @param name name without the rank
 * @param spans indices in the timeline, in time order
 */
record Track(int rank, boolean byProxy, String name, List<Integer> spans) {}

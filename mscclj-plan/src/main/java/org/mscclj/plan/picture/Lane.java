package org.mscclj.plan.picture;

import java.util.List;

/**
 * One lane: what a thread block does, or the proxy of a port channel.
 *
 * @param rank the rank in whose band it stands
 * @param byProxy whether it is a proxy's
 * @param name what its spans are done by, without the rank
 * @param spans indices in the timeline, in time order
 */
record Lane(int rank, boolean byProxy, String name, List<Integer> spans) {}

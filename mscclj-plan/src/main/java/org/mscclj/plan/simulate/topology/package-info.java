/** What a simulation runs on: nodes, links and their bandwidths, latencies, and what operations cost. */
@NullMarked
package org.mscclj.plan.simulate.topology;

import org.jspecify.annotations.NullMarked;

/** The machine of a simulation: nodes, links with bandwidths and latencies, and costs of operations. */
@NullMarked
package org.mscclj.analysis.simulate.topology;

import org.jspecify.annotations.NullMarked;

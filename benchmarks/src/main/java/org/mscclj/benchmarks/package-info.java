/** JMH benchmarks. */
@NullMarked
package org.mscclj.benchmarks;

import org.jspecify.annotations.NullMarked;

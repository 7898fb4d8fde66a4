/**
 * The steps of a measurement on one rank: allocate, fill, launch, time, check. They are the same for threads and
 * processes.
 */
@NullMarked
package org.mscclj.cli.measure;

import org.jspecify.annotations.NullMarked;

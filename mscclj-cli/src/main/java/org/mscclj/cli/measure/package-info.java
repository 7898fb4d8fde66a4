/**
 * One rank's part of a measurement: allocate, fill, launch, time, check. It is the same for threads and for processes.
 */
@NullMarked
package org.mscclj.cli.measure;

import org.jspecify.annotations.NullMarked;

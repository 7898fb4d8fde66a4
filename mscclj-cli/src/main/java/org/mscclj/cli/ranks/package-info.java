/**
 * Runs a {@link org.mscclj.cli.ranks.RankPart} on all ranks: as threads of this JVM, or in this process as one rank of
 * several. Options and the environment decide which.
 */
@NullMarked
package org.mscclj.cli.ranks;

import org.jspecify.annotations.NullMarked;

/** Where ranks live: one {@link org.mscclj.cli.ranks.RankPart} is run by threads of this JVM, or by this process as one rank of several. */
@NullMarked
package org.mscclj.cli.ranks;

import org.jspecify.annotations.NullMarked;

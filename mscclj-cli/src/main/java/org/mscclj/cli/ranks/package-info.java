/**
 * Where ranks live, as options and the environment say: one {@link org.mscclj.cli.ranks.RankPart} is run by threads of
 * this JVM, or by this process as one rank of several.
 */
@NullMarked
package org.mscclj.cli.ranks;

import org.jspecify.annotations.NullMarked;

/** What a kind of device tells the runtime about the programs that are fastest on it. */
@NullMarked
package org.mscclj.plan.preference;

import org.jspecify.annotations.NullMarked;

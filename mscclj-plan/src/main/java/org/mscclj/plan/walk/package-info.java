/** How blocks go through their operations; the same for all who execute plans in their mind. */
@NullMarked
package org.mscclj.plan.walk;

import org.jspecify.annotations.NullMarked;

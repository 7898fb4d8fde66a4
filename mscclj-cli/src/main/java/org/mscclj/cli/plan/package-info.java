/** {@code mscclj plan}: looks at execution plans. */
@NullMarked
package org.mscclj.cli.plan;

import org.jspecify.annotations.NullMarked;

/** {@code mscclj plan}: shows, verifies and creates execution plans. */
@NullMarked
package org.mscclj.cli.plan;

import org.jspecify.annotations.NullMarked;

/** Options that several commands share, and the parsers of their values. */
@NullMarked
package org.mscclj.cli.options;

import org.jspecify.annotations.NullMarked;

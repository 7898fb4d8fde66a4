/** Options that several commands have, each in one place, and how their values are read. */
@NullMarked
package org.mscclj.cli.options;

import org.jspecify.annotations.NullMarked;

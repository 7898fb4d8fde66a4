/** What options of several commands have in common. */
@NullMarked
package org.mscclj.cli.options;

import org.jspecify.annotations.NullMarked;

/** Writers of tables, JSON, plots and files that several commands share. */
@NullMarked
package org.mscclj.cli.report;

import org.jspecify.annotations.NullMarked;

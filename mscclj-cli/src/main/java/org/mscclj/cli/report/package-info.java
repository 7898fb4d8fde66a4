/** What reports of several commands are made of. */
@NullMarked
package org.mscclj.cli.report;

import org.jspecify.annotations.NullMarked;

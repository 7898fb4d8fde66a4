/** {@code mscclj selftest}: checks a machine in several parts, each in a process of its own. */
@NullMarked
package org.mscclj.cli.selftest;

import org.jspecify.annotations.NullMarked;

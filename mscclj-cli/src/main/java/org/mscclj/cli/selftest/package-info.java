/**
 * {@code mscclj selftest}: everything that tells whether a machine is right, part by part, each in a process of its
 * own.
 */
@NullMarked
package org.mscclj.cli.selftest;

import org.jspecify.annotations.NullMarked;

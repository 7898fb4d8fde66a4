/** Checks of a whole program: each signal has a wait, each acquire a release, and barriers are complete. */
@NullMarked
package org.mscclj.language.balance;

import org.jspecify.annotations.NullMarked;

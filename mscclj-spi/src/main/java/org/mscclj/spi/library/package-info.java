/**
 * The search for native libraries of other software: one search, with one set of messages, for every provider. The
 * provider's own {@code ffm} package opens the library.
 */
package org.mscclj.spi.library;

/**
 * Where native libraries of other software lie: the same search, with the same messages, for every provider that needs
 * one. Opening what is found is left to the provider's own {@code ffm} package.
 */
package org.mscclj.spi.library;

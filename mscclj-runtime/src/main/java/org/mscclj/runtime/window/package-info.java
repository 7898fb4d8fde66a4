/**
 * Windows: memory of each rank that ranks of its node map and other ranks access through port channels, and signals
 * between all ranks.
 */
package org.mscclj.runtime.window;

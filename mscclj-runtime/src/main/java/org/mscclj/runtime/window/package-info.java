/**
 * Windows: memory of each rank that those of its node map and others reach through port channels, and signals between
 * all.
 */
package org.mscclj.runtime.window;

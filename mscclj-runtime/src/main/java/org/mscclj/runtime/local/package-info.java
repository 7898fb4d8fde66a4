/** Ranks that are threads of one JVM. */
package org.mscclj.runtime.local;

/** Futures of works. */
package org.mscclj.runtime.work;

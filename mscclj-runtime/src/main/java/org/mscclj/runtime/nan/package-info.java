/** Looking for NaN in memory. */
package org.mscclj.runtime.nan;

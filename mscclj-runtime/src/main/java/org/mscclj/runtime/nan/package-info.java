/** Detection of NaN in memory. */
package org.mscclj.runtime.nan;

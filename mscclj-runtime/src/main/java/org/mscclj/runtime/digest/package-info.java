/** Names for contents. */
package org.mscclj.runtime.digest;

/** Names that identify contents. */
package org.mscclj.runtime.digest;

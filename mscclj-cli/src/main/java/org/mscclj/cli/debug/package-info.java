/** {@code mscclj debug}: what ranks that are stuck, or were, have launched, and which of them is to blame. */
package org.mscclj.cli.debug;

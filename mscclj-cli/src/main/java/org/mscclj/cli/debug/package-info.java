/**
 * {@code mscclj debug}: what ranks that are stuck, or were, have launched, which of them is to blame, and which
 * processes are healthy.
 */
package org.mscclj.cli.debug;

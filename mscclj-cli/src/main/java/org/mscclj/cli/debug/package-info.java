/**
 * {@code mscclj debug}: shows the launches of ranks that hang or have failed, names the rank that keeps the others
 * waiting, and shows which processes are healthy.
 */
package org.mscclj.cli.debug;

/** Hooks of communicators: they receive the operations that a communicator launches, and its abort. */
package org.mscclj.api.hook;

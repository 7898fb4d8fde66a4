/** Ranks as processes that end when nobody expects it, and communicators that come and go. */
package org.mscclj.cli.faults;

/** Calls as the selection of an algorithm sees them, and which algorithm serves a call. */
package org.mscclj.api.algorithm;

/** Which algorithm serves a call, and why. */
package org.mscclj.api.algorithm;

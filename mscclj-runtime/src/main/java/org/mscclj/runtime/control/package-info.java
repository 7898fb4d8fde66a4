/** How ranks talk while they set something up: small messages, never data. */
package org.mscclj.runtime.control;

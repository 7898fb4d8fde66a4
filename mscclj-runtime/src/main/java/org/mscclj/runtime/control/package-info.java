/** The control plane, over which ranks communicate during set-up: small messages, never data. */
package org.mscclj.runtime.control;

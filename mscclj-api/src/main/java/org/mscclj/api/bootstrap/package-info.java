/** How ranks in separate processes find each other: addresses, secrets, and what launchers put into the environment. */
package org.mscclj.api.bootstrap;

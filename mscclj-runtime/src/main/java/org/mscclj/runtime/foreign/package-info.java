/**
 * Launches of work that is not this platform's: collectives of another library, and algorithms of the application. They
 * are operations like those of plans: recorded, watched, captured, in the order of the communicator's launches.
 */
package org.mscclj.runtime.foreign;

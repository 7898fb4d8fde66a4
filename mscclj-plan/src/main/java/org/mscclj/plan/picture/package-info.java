/**
 * Draws a launch: one HTML file with a lane for every thread block, on the clock of a
 * {@link org.mscclj.plan.simulate.Timeline}. {@link org.mscclj.plan.picture.PlanPicture} is the entry point.
 */
package org.mscclj.plan.picture;

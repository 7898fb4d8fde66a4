/**
 * Draws a launch: one HTML file with a lane for every thread block, on the clock of a
 * {@link org.mscclj.analysis.simulate.timeline.Timeline}. {@link org.mscclj.analysis.picture.PlanPicture} is the entry
 * point.
 */
package org.mscclj.analysis.picture;

/** The spans of a simulated run: what each block and each proxy did when, and what it waited for. */
package org.mscclj.analysis.simulate.timeline;

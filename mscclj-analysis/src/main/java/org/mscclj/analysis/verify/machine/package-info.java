/**
 * The symbolic machine: it runs all ranks of a plan with symbolic values, and finds races, deadlocks and wrong results.
 */
package org.mscclj.analysis.verify.machine;

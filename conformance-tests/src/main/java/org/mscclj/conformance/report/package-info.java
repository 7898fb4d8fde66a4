/**
 * Results for people and for programs: a matrix of rules and modes as JSON and as one HTML file that needs nothing
 * else.
 */
package org.mscclj.conformance.report;

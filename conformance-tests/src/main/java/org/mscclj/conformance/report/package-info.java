/**
 * Results for people and for programs: a matrix of rules and modes as JSON, and as one HTML file that needs no other
 * file.
 */
package org.mscclj.conformance.report;

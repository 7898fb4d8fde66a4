/**
 * Elements and their arithmetic by definition: conversion from bits to numbers and back, and the reference that
 * reductions are compared with. The command line also checks plans with it.
 */
package org.mscclj.conformance.element;

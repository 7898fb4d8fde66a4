/** The examples of TorchComm's guide, in Java. Each is a program by itself. */
package org.example.torchcomm;

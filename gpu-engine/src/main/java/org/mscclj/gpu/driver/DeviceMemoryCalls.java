package org.mscclj.gpu.driver;

/** How a driver allocates memory of a GPU that peers can map: as virtual memory, or together with its address. */
public sealed interface DeviceMemoryCalls permits VirtualMemoryCalls, PlainMemoryCalls {}

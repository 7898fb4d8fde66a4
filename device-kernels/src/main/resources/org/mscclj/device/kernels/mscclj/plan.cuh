// Everything that the code of a plan's kernel uses.
#pragma once
#include "mscclj/block.cuh"
#include "mscclj/move.cuh"
#include "mscclj/packetmove.cuh"
#include "mscclj/port.cuh"

// All includes of a plan's kernel.
#pragma once
#include "mscclj/block.cuh"
#include "mscclj/move.cuh"
#include "mscclj/packetmove.cuh"
#include "mscclj/port.cuh"

// Fused blocks whose packets have flags beside each 4 bytes of payload. A unit is 8 bytes of payload.
#pragma once
#include "mscclj/fused.cuh"
#include "mscclj/packet.cuh"

namespace mscclj {

template <class Element, class Operator, PacketType Packets, uint32 RecordWords>
class FusedPackets : public FusedBlock<typename Element::Stored, RecordWords> {
    using Base = FusedBlock<typename Element::Stored, RecordWords>;

public:
    using Payload = Words2;
    using Base::Base;

    // A unit that no operand has if nothing may be loaded.
    __device__ __forceinline__ uint32 first() const { return Base::mayLoad() ? threadIdx.x : 1u << 28; }

    __device__ __forceinline__ uint32 next(uint32 unit) const { return unit + blockDim.x; }

    // At is the place of the operand in the record.

    template <uint32 At>
    __device__ __forceinline__ Payload load(uint32 unit) const {
        return Base::template loadPlain<At>(unit * 8);
    }

    template <uint32 At>
    __device__ __forceinline__ void store(uint32 unit, Payload data) const {
        Base::template storePlain<At>(unit * 8, data);
    }

    template <uint32 At>
    __device__ __forceinline__ void send(uint32 unit, Payload data) const {
        storePacket<Packets>(Base::template packets<At>() + unit * 16ull, data, Base::flag_);
    }

    // Waits for packets of several operands together; false if the communicator was aborted.
    template <uint32... At>
    __device__ __forceinline__ bool receive(uint32 unit, Payload* data) {
        constexpr int kCount = sizeof...(At);
        const uint64 addresses[kCount] = {(Base::template packets<At>() + unit * 16ull)...};
        Spin spin(Base::abortWord());
        while (true) {
            bool there[kCount];
#pragma unroll
            for (int i = 0; i < kCount; i++) {
                there[i] = tryLoadPacket<Packets>(addresses[i], Base::flag_, data[i]);
            }
            bool all = true;
#pragma unroll
            for (int i = 0; i < kCount; i++) {
                all &= there[i];
            }
            if (all) {
                return true;
            }
            if (!spin.again()) {
                Base::leaving_ = true;
                return false;
            }
        }
    }

    template <class... More>
    __device__ __forceinline__ Payload combine(Payload first, More... more) const {
        return combineInOrder<Element, Operator>(first, more...);
    }

    template <uint32 At, class... More>
    __device__ __forceinline__ Payload combineAt(Payload plain, More... packets) const {
        const Payload others[] = {packets...};
        return combineAround<Element, Operator>(Base::template before<At>(), plain, others);
    }
};

} // namespace mscclj

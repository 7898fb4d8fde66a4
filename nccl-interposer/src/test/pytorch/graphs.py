"""Collectives in graphs of torch.cuda.graph: captured after calls, and captured first; replayed with other inputs."""

import os

import torch
import torch.distributed as dist

RANK = int(os.environ["RANK"])
WORLD = int(os.environ["WORLD_SIZE"])
DEVICE = torch.device("cuda", int(os.environ["LOCAL_RANK"]))


def replay(count, warm):
    place = torch.arange(count, device=DEVICE, dtype=torch.float32) % 7
    source = torch.zeros(count, device=DEVICE)
    work = torch.empty(count, device=DEVICE)
    gathered = torch.empty(count * WORLD, device=DEVICE)
    greatest = torch.empty(count * WORLD, device=DEVICE)

    def step():
        work.copy_(source * 2)
        dist.all_reduce(work)
        dist.all_gather_into_tensor(gathered, work + RANK)
        greatest.copy_(gathered * (1 if RANK == 0 else -1))
        dist.all_reduce(greatest, dist.ReduceOp.MAX)

    for _ in range(3 if warm else 0):
        step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    for launch in range(50):
        source.copy_(place + RANK + launch)
        graph.replay()
        if launch % 10 == 5:  # a call between replays
            other = torch.ones(count, device=DEVICE)
            dist.all_reduce(other)
            assert (other == WORLD).all()
        total = 2.0 * sum(place + rank + launch for rank in range(WORLD))
        expected = torch.cat([total + rank for rank in range(WORLD)])
        torch.cuda.synchronize()
        assert torch.equal(gathered, expected), (count, warm, launch)
        assert torch.equal(greatest, expected), (count, warm, launch)


torch.cuda.set_device(DEVICE)
dist.init_process_group("nccl", device_id=DEVICE)
for size in [4, 1000, 1 << 20, 5 << 20]:
    replay(size, warm=True)
    replay(size + 4, warm=False)
dist.barrier()
dist.destroy_process_group()
print(f"rank {RANK}: graphs right", flush=True)

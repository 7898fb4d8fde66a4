"""Collectives in graphs of torch.cuda.graph: captured after calls, and captured first; replayed with other inputs."""

import os

import torch
import torch.distributed as dist

RANK = int(os.environ["RANK"])
WORLD = int(os.environ["WORLD_SIZE"])
DEVICE = torch.device("cuda", int(os.environ["LOCAL_RANK"]))


def replay(count, warm):
    source = torch.zeros(count, device=DEVICE)
    work = torch.empty(count, device=DEVICE)
    gathered = torch.empty(count * WORLD, device=DEVICE)

    def step():
        work.copy_(source * 2)
        dist.all_reduce(work)
        dist.all_gather_into_tensor(gathered, work)
        work.copy_(gathered[:count] + 1)
        dist.all_reduce(work, dist.ReduceOp.MAX)

    for _ in range(3 if warm else 0):
        step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    for launch in range(50):
        source.fill_(RANK + launch)
        graph.replay()
        if launch % 10 == 5:  # a call between replays
            other = torch.ones(count, device=DEVICE)
            dist.all_reduce(other)
            assert (other == WORLD).all()
        expected = 2.0 * sum(rank + launch for rank in range(WORLD)) + 1
        torch.cuda.synchronize()
        assert (work == expected).all(), (count, warm, launch, work[0].item(), expected)


torch.cuda.set_device(DEVICE)
dist.init_process_group("nccl", device_id=DEVICE)
for size in [4, 1000, 1 << 20, 5 << 20]:
    replay(size, warm=True)
    replay(size + 4, warm=False)
dist.barrier()
dist.destroy_process_group()
print(f"rank {RANK}: graphs right", flush=True)

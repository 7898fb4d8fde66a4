#!/usr/bin/env bash
# Open MPI, MPICH and Slurm on two nodes, which are namespaces with a name and an address of their own; with and without a step of Slurm's.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

hostname controller
ip link set lo up
mount -t tmpfs tmpfs /run
mkdir /run/netns
printf '%s\n' '127.0.0.1 localhost' '::1 localhost ip6-localhost' '10.99.0.254 controller' '10.99.0.1 n1' '10.99.0.2 n2' >"$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts
if ! { ip link add bridge type bridge && ip address add 10.99.0.254/24 dev bridge && ip link set bridge up; } 2>/dev/null; then
    skip "no two nodes, since this kernel makes no bridges"
    exit 0
fi
for node in 1 2; do
    ip netns add n$node
    ip link add v$node type veth peer name eth0 netns n$node
    ip link set v$node master bridge up
    ip -n n$node address add 10.99.0.$node/24 dev eth0
    ip -n n$node link set eth0 up
    ip -n n$node link set lo up
done

same=("$MSCCLJ" run "$plans/allgather_2ranks.json" --count 1000 --iterations 1)
apart=("$MSCCLJ" run "$plans/sendrecv_port_2ranks.json" --count 1000 --iterations 1)
secret=of-this-test-0123456789abcdef

# --- no launcher: torchrun's variables, and a firewall ------------------------------------------------------------

# ranks VARIABLE=VALUE...: one rank on each node, with torchrun's variables and these
cat >"$folder/ranks" <<END
#!/bin/sh
for node in 1 2; do
    nsenter --net="/run/netns/n\$node" unshare --uts sh -c 'hostname "n\$1"; shift; exec env "\$@"' sh "\$node" \
        RANK=\$((node - 1)) WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 MASTER_ADDR=10.99.0.1 MASTER_PORT=29500 \
        MSCCLJ_SECRET=$secret "\$@" ${apart[*]} &
    ranks="\$ranks \$!"
done
code=0
for rank in \$ranks; do
    wait "\$rank" || code=\$?
done
exit "\$code"
END
chmod +x "$folder/ranks"
expect "torchrun's variables on two nodes" '2 ranks, 1 on each node' "$folder/ranks"

rules=$root/examples/firewall/mscclj.nft
if command -v nft >/dev/null && ip netns exec n1 nft -f "$rules" && ip netns exec n2 nft -f "$rules"; then
    ports=(MSCCLJ_CONTROL_PORTS=29510-29549 MSCCLJ_TCP_PORTS=29550-29589)
    expect "nodes behind the guide's firewall" '2 ranks, 1 on each node' "$folder/ranks" "${ports[@]}"
    refused "data behind the guide's firewall by another port" "$folder/ranks" "${ports[0]}" MSCCLJ_TCP_PORTS=29590 \
        MSCCLJ_TIMEOUT_SECONDS=10
    ip netns exec n1 nft delete table inet mscclj
    ip netns exec n2 nft delete table inet mscclj
else
    skip "no firewall here: install nftables; it needs nf_tables in the kernel"
fi

# --- one host, no scheduler ---------------------------------------------------------------------------------------------------

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if command -v mpirun.openmpi >/dev/null; then
    expect "Open MPI, one host" '2 ranks, 2 on each node' mpirun.openmpi --oversubscribe -np 2 "${same[@]}"
else
    skip "no Open MPI here: install openmpi-bin"
fi
if command -v mpiexec.hydra >/dev/null; then
    expect "MPICH, one host" '2 ranks, 2 on each node' mpiexec.hydra -np 2 "${same[@]}"
else
    skip "no MPICH here: install mpich"
fi

# --- Slurm on two nodes -------------------------------------------------------------------------------------------------------

if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v srun >/dev/null; then
    skip "no Slurm here: install slurm-wlm"
    exit 0
fi
export SLURM_CONF=$folder/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=controller
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SlurmctldPidFile=$folder/controller.pid
SlurmctldLogFile=$folder/controller.log
StateSaveLocation=$folder/state
SlurmdPidFile=$folder/%n.pid
SlurmdLogFile=$folder/%n.log
SlurmdSpoolDir=$folder/spool.%n
ReturnToService=2
NodeName=n1 NodeAddr=10.99.0.1 CPUs=4 RealMemory=1000
NodeName=n2 NodeAddr=10.99.0.2 CPUs=4 RealMemory=1000
PartitionName=all Nodes=n1,n2 Default=YES State=UP
END
mkdir "$folder/state" "$folder/spool.n1" "$folder/spool.n2"
slurmctld -D -i >"$folder/controller.out" 2>&1 &
for node in n1 n2; do
    nsenter --net="/run/netns/$node" unshare --uts sh -c "hostname $node; exec slurmd -D -N $node" >"$folder/$node.out" 2>&1 &
done
for _ in $(seq 100); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" != 2 ] || break
    sleep 0.2
done
if [ "$(sinfo -h -t idle -o %D 2>/dev/null)" != 2 ]; then
    sinfo || true
    tail -n 5 "$folder"/*.out "$folder"/*.log || true
    if grep -q "cgroup plugin" "$folder"/*.log; then
        skip "no Slurm, whose daemons need control groups, and here are none"
        exit 0
    fi
    echo "launchers test: Slurm's nodes do not come up" >&2
    exit 1
fi

export MSCCLJ_SECRET=$secret
expect "Slurm, srun on one node" '2 ranks, 2 on each node' srun -N1 -n2 "${same[@]}"
expect "Slurm, srun on two nodes" '2 ranks, 1 on each node' srun -N2 -n2 "${apart[@]}"
expect "Slurm, a step of one task on each node of a job of two" '2 ranks, 1 on each node' \
    salloc -Q -N2 --ntasks-per-node=2 srun -N2 -n2 "${apart[@]}"
expect "Slurm, salloc without a step" '2 ranks, 2 on each node' salloc -Q -N2 --ntasks-per-node=2 "${same[@]}"
expect "Slurm, srun --mpi=pmi2" '2 ranks, 2 on each node' srun --mpi=pmi2 -N1 -n2 "${same[@]}"

# batch LINE: in a batch script
cat >"$folder/batch" <<END
#!/bin/sh
printf '#!/bin/sh\n%s\n' "\$1" >"$folder/script"
sbatch -Q -W -N2 --ntasks-per-node=2 -o "$folder/batch.out" "$folder/script"
code=\$?
cat "$folder/batch.out"
exit \$code
END
chmod +x "$folder/batch"
expect "Slurm, sbatch without a step" '2 ranks, 2 on each node' "$folder/batch" "${same[*]}"
expect "Slurm, sbatch without a step, run --procs" '2 ranks, 2 on each node' "$folder/batch" "${same[*]} --procs"
# example: the batch script of the guide
cat >"$folder/example" <<END
#!/bin/sh
sbatch -Q -W -o "$folder/example.out" "$root/examples/slurm/allreduce.sbatch"
code=\$?
cat "$folder/example.out"
exit \$code
END
chmod +x "$folder/example"
(umask 077 && echo "$secret" >"$folder/secret")
MSCCLJ_SECRET_FILE=$folder/secret expect "Slurm, the guide's batch script" '4 ranks, 2 on each node' "$folder/example"
expect "Slurm, sbatch with a step" '2 ranks, 1 on each node' "$folder/batch" "srun -N2 -n2 ${apart[*]}"

export MSCCLJ_MASTER_ADDR=n1 MSCCLJ_MASTER_PORT=7100-7115
if command -v mpirun.openmpi >/dev/null; then
    expect "Open MPI on two nodes of Slurm's" '2 ranks, 1 on each node' \
        salloc -Q -N2 --ntasks-per-node=1 mpirun.openmpi -np 2 --map-by node \
        -x MSCCLJ_SECRET -x MSCCLJ_MASTER_ADDR -x MSCCLJ_MASTER_PORT "${apart[@]}"
fi
if command -v mpiexec.hydra >/dev/null; then
    expect "MPICH on two nodes of Slurm's" '2 ranks, 1 on each node' \
        salloc -Q -N2 --ntasks-per-node=1 mpiexec.hydra -np 2 -ppn 1 "${apart[@]}"
fi

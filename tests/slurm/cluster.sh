# shellcheck shell=bash
# A SLURM of its own for a test: slurmctld, one slurmd a node and munged, all on loopback, as root, with its own key,
# sockets and ports, so that it meets no other. Sourced, never run.
#
#   start_cluster NODES CPUS    sets `cluster`, its folder (logs in $cluster/log); skips the test where it cannot start
#   stop_cluster                ends every process of it; to be trapped on EXIT before start_cluster
#   lose_node NAME              kills all of a node's processes at once, as a crash does

skip() { echo "skipped: $*"; exit 77; }

cluster=''

# Ids of living processes whose environment has the words given, beside the name of this cluster; and of the slurmstepd above
# them, whose own environment is wiped.
cluster_processes() {
  local word files id above
  mapfile -t files < <(compgen -G '/proc/[0-9]*/environ')
  for word in "SLURM_CONF=$cluster/slurm.conf" "$@"; do
    ((${#files[@]})) || return 0
    mapfile -t files < <(env -u SLURM_CONF grep -lzxFs -e "$word" "${files[@]}")
  done
  for id in "${files[@]}"; do
    id=${id%/environ} id=${id#/proc/}
    echo "$id"
    above=$(env -u SLURM_CONF ps -o ppid= -p "$id" | tr -d ' ')
    [[ -z $above || $(env -u SLURM_CONF ps -o comm= -p "$above") != slurmstepd* ]] || echo "$above"
  done | sort -u
}

stop_cluster() {
  [[ -n $cluster ]] || return 0
  local i ids
  for ((i = 0; i < 50; i++)); do
    mapfile -t ids < <(cluster_processes)
    ((${#ids[@]})) || break
    if ((i < 20)); then kill "${ids[@]}" 2>/dev/null; else kill -KILL "${ids[@]}" 2>/dev/null; fi
    sleep 0.2
  done
  ((${#ids[@]} == 0)) || echo "FAILED: processes of the test's SLURM do not end: ${ids[*]}"
  rm -rf "$cluster"
  cluster=''
}

# The first of `count` ports that nobody uses.
free_ports() {
  /usr/bin/python3 - "$1" <<'PYTHON'
import random, socket, sys
count = int(sys.argv[1])
for _ in range(100):
    first = random.randrange(20000, 32000 - count)
    sockets = [socket.socket() for _ in range(count)]
    try:
        for i, s in enumerate(sockets):
            s.bind(("127.0.0.1", first + i))
    except OSError:
        continue
    finally:
        for s in sockets:
            s.close()
    print(first)
    break
else:
    sys.exit("no free ports")
PYTHON
}

start_cluster() {
  local nodes=$1 cpus=$2 i tool port host
  for tool in slurmctld slurmd munged sbatch; do
    command -v "$tool" >/dev/null || skip "SLURM is not installed ($tool is missing; scripts/packages.txt)."
  done
  ((EUID == 0)) || skip "a SLURM of one's own needs root."
  host=$(hostname -s) port=$(free_ports $((nodes + 41)))
  # Short: sockets lie in it. Closed to others: munged insists.
  cluster=$(mktemp -d /tmp/brisance-slurm.XXXXXX)
  mkdir -p "$cluster"/{spool,state,log,tmp}
  chmod 755 "$cluster"
  export SLURM_CONF=$cluster/slurm.conf

  # slurmd loads a plugin for control groups even where none are used. Credentials that expire soon let a requeued job
  # start after 6 s, not 121. Nodes of one machine tell their ranks apart by port; srun sets the prolog's line.
  echo 'CgroupPlugin=cgroup/v1' >"$cluster/cgroup.conf"
  cat >"$cluster/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
TmpFS=$cluster/tmp/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2,batch_sched_delay=0,sched_min_interval=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdTimeout=30
KillWait=20
MinJobAge=3600
SlurmdParameters=config_overrides
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SrunPortRange=$((port + nodes + 1))-$((port + nodes + 40))
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd-%n.pid
SlurmctldLogFile=$cluster/log/slurmctld.log
SlurmdLogFile=$cluster/log/slurmd-%n.log
$(for ((i = 1; i <= nodes; i++)); do
    echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=$cpus RealMemory=100000 State=UNKNOWN"
  done)
PartitionName=main Nodes=n[1-$nodes] Default=YES MaxTime=INFINITE State=UP
CONF
  # Ranks on several pretended nodes share one machine: shared memory would mix them up.
  export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo

  (umask 077 && head -c 128 /dev/urandom >"$cluster/munge.key")
  munged --force --socket="$cluster/munge.socket" --key-file="$cluster/munge.key" --pid-file="$cluster/munged.pid" \
    --log-file="$cluster/log/munged.log" --seed-file="$cluster/munge.seed" --num-threads=1 &>"$cluster/log/munged.err" ||
    skip "munged does not start here: $(tail -n 3 "$cluster/log/munged.err")"
  slurmctld -i &>"$cluster/log/start.err" || skip "slurmctld does not start here: $(tail -n 3 "$cluster/log/start.err")"
  for ((i = 1; i <= nodes; i++)); do
    mkdir -p "$cluster/spool/n$i" "$cluster/tmp/n$i"
    BRISANCE_TEST_NODE=n$i slurmd -N "n$i"
  done
  for ((i = 0; i < 300; i++)); do
    [[ $(sinfo -h -t idle -o %D 2>/dev/null) != "$nodes" ]] || return 0
    sleep 0.1
  done
  skip "no cluster of $nodes nodes came up: $(tail -n 3 "$cluster"/log/*.log)"
}

lose_node() {
  local ids
  mapfile -t ids < <(cluster_processes "SLURMD_NODENAME=$1"; cluster_processes "BRISANCE_TEST_NODE=$1")
  kill -KILL "${ids[@]}" 2>/dev/null
  scontrol update "nodename=$1" state=down reason=test
}

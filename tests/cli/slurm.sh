# A Slurm of our own for tests: a controller and two nodes, n0 and n1, all on this machine, with a
# munge of its own.  Everything lies in $work/slurm, ports included nothing is shared with a Slurm
# that the machine may run.  To be read in behind lib.sh.
#
#   start_slurm          sets SLURM_CONF; where it cannot, fails and says why in $why
#   start_node NODE      starts a node, again after kill_node
#   kill_node NODE       as a power cut would: its slurmd, slurmstepd and all that they run
#   wait_for N COMMAND   until the command succeeds, N s at most
# The daemons are ended when the script exits.
# shellcheck shell=sh disable=SC2034,SC2154
cluster=$work/slurm
daemons=

start_slurm() {
    [ "$(id -u)" -eq 0 ] || { why='only root can start it'; return 1; }
    for program in munged slurmctld slurmd sbatch squeue sinfo scancel scontrol setpriv; do
        command -v $program >/dev/null || {
            why="$program is not installed (make setup-slurm)"
            return 1
        }
    done
    id munge >/dev/null 2>&1 || { why='there is no user munge'; return 1; }
    trap 'stop_slurm; rm -rf "$work"' EXIT
    mkdir "$cluster" "$cluster/munge" "$cluster/state" "$cluster/n0" "$cluster/n1"
    chmod 755 "$work" # munge's socket is in it
    start_munge || { why="munged: $(tail -n 1 "$cluster/munge/log")"; return 1; }
    write_slurm_conf >"$cluster/slurm.conf"
    SLURM_CONF=$cluster/slurm.conf
    export SLURM_CONF
    # The test may itself be a job of another Slurm.
    # shellcheck disable=SC2046
    unset $(env | grep -o -E '^(SLURM|SLURMD|SBATCH|SQUEUE)_[A-Z_]*' | grep -v -x SLURM_CONF)
    slurmctld -D -c >"$cluster/slurmctld.out" 2>&1 &
    daemons="$daemons $!"
    start_node n0
    start_node n1
    wait_for 30 nodes_are 2 idle || {
        why=$(grep -h -E 'fatal|error' "$cluster"/*.out "$cluster"/*.log 2>/dev/null | tail -n 1)
        return 1
    }
}

start_munge() {
    dd if=/dev/urandom of="$cluster/munge/key" bs=256 count=1 2>/dev/null
    chmod 600 "$cluster/munge/key"
    chown -R munge "$cluster/munge"
    setpriv --reuid munge --regid "$(id -g munge)" --clear-groups munged --foreground \
        --socket="$cluster/munge/socket" --key-file="$cluster/munge/key" \
        --pid-file="$cluster/munge/pid" --seed-file="$cluster/munge/seed" \
        >"$cluster/munge/log" 2>&1 &
    daemons="$daemons $!"
    wait_for 10 test -S "$cluster/munge/socket"
}

# Every node says that it has four cores, so that work is shared out though the machine be small.
write_slurm_conf() {
    port=$(free_ports)
    cat <<END
ClusterName=berth-test
SlurmctldHost=localhost
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
MailProg=/bin/true
MpiDefault=none
ReturnToService=2
SlurmdTimeout=30
SlurmdParameters=config_overrides
BatchStartTimeout=1
KillWait=5
GresTypes=gpu
NodeName=n[0-1] NodeHostname=localhost Port=[$((port + 1))-$((port + 2))] CPUs=4 Gres=gpu:1
PartitionName=all Nodes=n[0-1] Default=yes MaxTime=INFINITE State=UP
END
    echo 'NodeName=n[0-1] Name=gpu File=/dev/null' >"$cluster/gres.conf"
}

# The first of three ports in a row that nobody has, below those that the system gives out.
free_ports() {
    while :; do
        first=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 12000))
        cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '{ print $2 }' |
            grep -q -i -E ":($(printf '%04x|%04x|%04x' $first $((first + 1)) $((first + 2))))\$" ||
            break
    done
    echo $first
}

start_node() {
    slurmd -D -N "$1" >"$cluster/$1.out" 2>&1 &
    daemons="$daemons $!"
}

# A slurmstepd has its node's log open; what it runs has the node's name in its environment.
kill_node() {
    # shellcheck disable=SC2046
    kill -KILL $({
        find /proc/[0-9]*/fd -lname "$cluster/$1.log"
        grep -l -z -x -F "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ |
            xargs -r grep -l -z -x "SLURMD_NODENAME=$1"
    } 2>/dev/null | cut -d / -f 3 | sort -u)
}

nodes_are() { # NUMBER STATE
    [ "$(sinfo -h -N -o '%N %T' 2>/dev/null | grep -c " $2\$")" -eq "$1" ]
}

wait_for() {
    patience=$(($1 * 10))
    shift
    until "$@"; do
        [ $patience -gt 0 ] || return 1
        patience=$((patience - 1))
        sleep 0.1
    done
}

# Whatever is left of the tasks goes too.
stop_slurm() {
    # shellcheck disable=SC2086
    kill -TERM $daemons 2>/dev/null
    kill_node n0 2>/dev/null
    kill_node n1 2>/dev/null
    # shellcheck disable=SC2086
    wait $daemons 2>/dev/null
}

#!/bin/sh
# The manual's recipes for parts of a run, as they are printed there: with GNU parallel, in Python's way of Dask, and under a Slurm on this
# machine, whose daemons are started in a folder of this test's own (as root, with munge and slurm-wlm installed). What is not installed is
# passed over, with a word.
. "$(dirname "$0")/tap.sh"
src=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
manual=$src/man/lanescope.1
case $LANESCOPE in */*) PATH=$(cd "$(dirname "$LANESCOPE")" && pwd):$PATH ;; esac
export PATH
pids=
stop_daemons() {
	for pid in $pids $(cat "$work/munge.pid" 2>/dev/null); do
		kill "$pid" 2>/dev/null
		tries=0
		while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do
			sleep 0.1
			tries=$((tries + 1))
		done
	done
}
trap 'stop_daemons; rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir logs whole
cp "$src"/tests/data/dasf/hosts-*.msgpack logs/
lanescope import --quiet logs -o whole/logs.lanes || exit 2

passed_over() { # name, why
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}
# Runs lines of the manual, which must be there as they are here.
as_printed() { # name, lines
	there=0
	printf '%s\n' "$2" | while IFS= read -r line; do grep -qxF -e "$line" "$manual" || exit 1; done || there=1
	rm -rf parts logs.lanes logs.parts
	[ $there = 0 ] && { eval "$2"; } >said 2>&1 </dev/null
	status=$?
	wait_for_run
	cmp logs.lanes "$work/whole/logs.lanes" >>said 2>&1 || status=1
	[ $there = 0 ] || echo "the manual has other lines" >>said
	[ $status = 0 ] || sed 's/^/# /' said ./*.out 2>/dev/null
	result $status "$1"
}
wait_for_run() { # who only hands jobs over does not wait for them
	tries=0
	while [ -n "$pids" ] && [ ! -e logs.lanes ] && [ $tries -lt 300 ]; do
		sleep 0.2
		tries=$((tries + 1))
	done
}

if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	mkdir -p .parallel && : >.parallel/will-cite
	as_printed "GNU parallel" 'lanescope import --plan logs.plan logs
seq 4 | parallel lanescope import --part {}/4 --plan logs.plan -o parts/
lanescope merge parts -o logs.lanes'
	as_printed "GNU parallel, by --jobs" "lanescope import --jobs 16 --with 'seq {n} | parallel -q -n0 {command}' logs -o logs.lanes"
else
	passed_over "GNU parallel" "it is not installed"
fi

# A client that maps as Dask's does, where there is no Dask.
if command -v python3 >/dev/null; then
	rm -rf parts logs.lanes
	{
		cat <<'END'
try:
    from dask.distributed import Client
    client = Client(processes=False, dashboard_address=None)
except ImportError:
    class client:
        map = map
        gather = list
END
		sed -n '/^import subprocess$/,/^client.gather/p' "$manual"
	} >recipe.py
	grep -q '^client.gather' recipe.py && python3 recipe.py >said 2>&1 && lanescope merge --quiet parts -o logs.lanes && cmp logs.lanes whole/logs.lanes
	status=$?
	[ $status = 0 ] || sed 's/^/# /' said
	result $status "a function for Dask's client.map"
else
	passed_over "Dask" "there is no python3"
fi

# Slurm: controller, one node, and munge, all of this test's own.
start_slurm() {
	mkdir slurm slurm/state slurm/spool && dd if=/dev/urandom of=munge.key bs=1 count=1024 2>/dev/null && chmod 600 munge.key
	chmod 755 "$work"
	host=$(hostname -s)
	port=$((20000 + $$ % 20000))
	cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$work/slurm/ctld.pid
SlurmdPidFile=$work/slurm/d.pid
SlurmctldLogFile=$work/slurm/ctld.log
SlurmdLogFile=$work/slurm/d.log
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
MpiDefault=none
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:16
END
	SLURM_CONF=$work/slurm.conf
	export SLURM_CONF
	munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" --log-file="$work/munge.log" \
		--seed-file="$work/munge.seed" >slurm/start 2>&1 || return 1
	slurmctld -D >>slurm/start 2>&1 &
	pids=$!
	slurmd -D >>slurm/start 2>&1 &
	pids="$pids $!"
	tries=0
	while [ $tries -lt 100 ]; do
		[ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && return 0
		sleep 0.2
		tries=$((tries + 1))
	done
	return 1
}
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
	passed_over "Slurm" "slurm-wlm and munge are not installed"
elif [ "$(id -u)" != 0 ]; then
	passed_over "Slurm" "its daemons are started as root"
elif ! start_slurm; then
	sed 's/^/# /' slurm/start slurm/*.log
	passed_over "Slurm" "its daemons do not start here"
else
	as_printed "Slurm: an array, and what depends on it" 'lanescope import --plan logs.plan logs
job=$(sbatch --parsable --array=1-4 --wrap '\''lanescope import --part $SLURM_ARRAY_TASK_ID/4 --plan logs.plan -o parts/'\'')
sbatch --dependency=afterok:$job --wrap '\''lanescope merge parts -o logs.lanes'\'
	as_printed "Slurm, by --jobs" "lanescope import --jobs 16 --with 'srun -n {n}' logs -o logs.lanes"
fi
echo "1..$count"
exit $failed

# All that comes of small task traces, every table of the run.
. data/golden/contents
for file in data/cascade/*; do
	take cascade "$file"
done
echo "== who logged a microtrace: by the marks of its process, the first as well as later ones, and by none"
log() { echo "2025-04-11 14:00:00,$1:DEBUG:cascade.low.tracing.$2:$3:#$4"; }
{
	log 001 marker 1 'host=h0;worker=h0.w0;task=a;action=task_started;at=1744372800001000000'
	log 002 marker 2 'host=h0;worker=h0.w1;task=b;action=task_started;at=1744372800002000000'
	log 003 marker 2 'host=h0;worker=h0.w2;task=c;action=task_started;at=1744372800003000000'
	log 004 marker 3 'host=h1;action=taskPaused;at=1744372800004000000;why=x;level=7;none=None;real=1.5'
	log 005 marker 4 'host=controller;action=ctrl_wait;at=1744372800005000000'
	log 006 marker 4 'host=controller;action=ctrl_plan;at=1744372800006000000'
	log 006 marker 4 'host=controller;action=ctrl_flush;at=1744372800006000000'
	log 007 marker 5 'host=h2;worker=h2.w0;task=d;action=task_started;at=1744372800007000000'
	log 008 marker 5 'host=h3;worker=h2.w0;task=d;action=task_finished;at=1744372800008000000'
	for pid in 1 2 3 4 5 6; do log 010 tracer $pid "kind$pid=$pid"; done
	log 011 tracer 1 'kind1=-5'
	log 011 tracer 1 'kind1=9223372036854775808'
	log 011 tracer x 'kind1=5'
} >who.log
take cascade who.log

# What result columns of saved queries were called before, for tests/same.sh --renames: OLD's name -> NEW's, by query.
#   task-by-kind          count -> n, run -> run_sum, queue -> queue_sum, comm -> comm_sum
#   transfer-by-mode      comm -> comm_sum
#   task-by-worker        finished -> tasks_finished, total_sum -> total
#   task-bottleneck       computed -> n
#   process-times         spans -> n
#   span-longest          lane_name -> lane
#   lane-totals           share -> of_run, longest -> max
#   worker-balance        share -> of_run, longest -> max, computed -> time
#   controller-phases, task-critical-path    share -> of_run
#   idle-by-lane, gpu-idle, preemption-instances    longest -> max
#   gpu-busy              memory -> copying
#   launch-delay          queue -> queue_mean
#   resource-summary      stddev -> std
#   trial-samples         p50 -> median
#   file-patterns         time_sum -> sum
#   preemption-capacity   time -> at, change -> nodes_change
#   preemption-changes    time -> at, before_time -> before_at, after -> nodes_after
#   preemption-rollbacks  time -> at, lost -> lost_time
#   preemption-accounting, transfer-avoidable    lost -> lost_time
#   task-incomplete, transfer-incomplete         missing -> missing_stages
# Tables for people (whose widths follow the names) and --wide (whose rows name the measures) are left as they were: they differ.

# controller-phases
s/^\(run,\)\{0,1\}phase,n,sum,mean,median,p95,max,share$/\1phase,n,sum,mean,median,p95,max,of_run/
s/^\(run\t\)\{0,1\}phase\tn\tsum\tmean\tmedian\tp95\tmax\tshare$/\1phase\tn\tsum\tmean\tmedian\tp95\tmax\tof_run/
s/^| \(run | \)\{0,1\}phase | n | sum | mean | median | p95 | max | share |$/| \1phase | n | sum | mean | median | p95 | max | of\\_run |/
/"phase": .*"n": .*"sum": .*"mean": .*"median": .*"p95": .*"max": .*"share": /{
s/"share": /"of_run": /
}
/\(^\|,\)n_a,/{
/\(^\|,\)sum_a,/{
/\(^\|,\)mean_a,/{
/\(^\|,\)median_a,/{
/\(^\|,\)p95_a,/{
/\(^\|,\)max_a,/{
/\(^\|,\)share_a,/{
s/\(^\|,\)share_a,share_b,share_delta,share_ratio,share_rel/\1of_run_a,of_run_b,of_run_delta,of_run_ratio,of_run_rel/
}}}}}}}

# file-patterns
s/^\(run,\)\{0,1\}pattern,calls,size,time,size_sum,time_sum,grouping$/\1pattern,calls,size,time,size_sum,sum,grouping/
s/^\(run\t\)\{0,1\}pattern\tcalls\tsize\ttime\tsize_sum\ttime_sum\tgrouping$/\1pattern\tcalls\tsize\ttime\tsize_sum\tsum\tgrouping/
s/^| \(run | \)\{0,1\}pattern | calls | size | time | size\\_sum | time\\_sum | grouping |$/| \1pattern | calls | size | time | size\\_sum | sum | grouping |/
/"pattern": .*"calls": .*"size": .*"time": .*"size_sum": .*"time_sum": .*"grouping": /{
s/"time_sum": /"sum": /
}
/\(^\|,\)calls_a,/{
/\(^\|,\)size_a,/{
/\(^\|,\)time_a,/{
/\(^\|,\)size_sum_a,/{
/\(^\|,\)time_sum_a,/{
s/\(^\|,\)time_sum_a,time_sum_b,time_sum_delta,time_sum_ratio,time_sum_rel/\1sum_a,sum_b,sum_delta,sum_ratio,sum_rel/
}}}}}

# gpu-busy
s/^\(run,\)\{0,1\}device,streams,kernels,span,busy,share,of_run,idle,compute,communication,memory$/\1device,streams,kernels,span,busy,share,of_run,idle,compute,communication,copying/
s/^\(run\t\)\{0,1\}device\tstreams\tkernels\tspan\tbusy\tshare\tof_run\tidle\tcompute\tcommunication\tmemory$/\1device\tstreams\tkernels\tspan\tbusy\tshare\tof_run\tidle\tcompute\tcommunication\tcopying/
s/^| \(run | \)\{0,1\}device | streams | kernels | span | busy | share | of\\_run | idle | compute | communication | memory |$/| \1device | streams | kernels | span | busy | share | of\\_run | idle | compute | communication | copying |/
/"device": .*"streams": .*"kernels": .*"span": .*"busy": .*"share": .*"of_run": .*"idle": .*"compute": .*"communication": .*"memory": /{
s/"memory": /"copying": /
}
/\(^\|,\)kernels_a,/{
/\(^\|,\)span_a,/{
/\(^\|,\)busy_a,/{
/\(^\|,\)share_a,/{
/\(^\|,\)of_run_a,/{
/\(^\|,\)idle_a,/{
/\(^\|,\)compute_a,/{
/\(^\|,\)communication_a,/{
/\(^\|,\)memory_a,/{
s/\(^\|,\)memory_a,memory_b,memory_delta,memory_ratio,memory_rel/\1copying_a,copying_b,copying_delta,copying_ratio,copying_rel/
}}}}}}}}}

# gpu-idle
s/^\(run,\)\{0,1\}stream,cause,idle,share,of_run,gaps,mean,longest$/\1stream,cause,idle,share,of_run,gaps,mean,max/
s/^\(run\t\)\{0,1\}stream\tcause\tidle\tshare\tof_run\tgaps\tmean\tlongest$/\1stream\tcause\tidle\tshare\tof_run\tgaps\tmean\tmax/
s/^| \(run | \)\{0,1\}stream | cause | idle | share | of\\_run | gaps | mean | longest |$/| \1stream | cause | idle | share | of\\_run | gaps | mean | max |/
/"stream": .*"cause": .*"idle": .*"share": .*"of_run": .*"gaps": .*"mean": .*"longest": /{
s/"longest": /"max": /
}
/\(^\|,\)idle_a,/{
/\(^\|,\)share_a,/{
/\(^\|,\)of_run_a,/{
/\(^\|,\)gaps_a,/{
/\(^\|,\)mean_a,/{
/\(^\|,\)longest_a,/{
s/\(^\|,\)longest_a,longest_b,longest_delta,longest_ratio,longest_rel/\1max_a,max_b,max_delta,max_ratio,max_rel/
}}}}}}

# idle-by-lane
s/^\(run,\)\{0,1\}lane,kind,span,busy,idle,share,gaps,longest,start,late,early$/\1lane,kind,span,busy,idle,share,gaps,max,start,late,early/
s/^\(run\t\)\{0,1\}lane\tkind\tspan\tbusy\tidle\tshare\tgaps\tlongest\tstart\tlate\tearly$/\1lane\tkind\tspan\tbusy\tidle\tshare\tgaps\tmax\tstart\tlate\tearly/
s/^| \(run | \)\{0,1\}lane | kind | span | busy | idle | share | gaps | longest | start | late | early |$/| \1lane | kind | span | busy | idle | share | gaps | max | start | late | early |/
/"lane": .*"kind": .*"span": .*"busy": .*"idle": .*"share": .*"gaps": .*"longest": .*"start": .*"late": .*"early": /{
s/"longest": /"max": /
}
/\(^\|,\)span_a,/{
/\(^\|,\)busy_a,/{
/\(^\|,\)idle_a,/{
/\(^\|,\)share_a,/{
/\(^\|,\)gaps_a,/{
/\(^\|,\)longest_a,/{
/\(^\|,\)late_a,/{
/\(^\|,\)early_a,/{
s/\(^\|,\)longest_a,longest_b,longest_delta,longest_ratio,longest_rel/\1max_a,max_b,max_delta,max_ratio,max_rel/
}}}}}}}}

# lane-totals
s/^\(run,\)\{0,1\}host,lane,kind,n,self,share,longest,size,start,finish$/\1host,lane,kind,n,self,of_run,max,size,start,finish/
s/^\(run\t\)\{0,1\}host\tlane\tkind\tn\tself\tshare\tlongest\tsize\tstart\tfinish$/\1host\tlane\tkind\tn\tself\tof_run\tmax\tsize\tstart\tfinish/
s/^| \(run | \)\{0,1\}host | lane | kind | n | self | share | longest | size | start | finish |$/| \1host | lane | kind | n | self | of\\_run | max | size | start | finish |/
/"host": .*"lane": .*"kind": .*"n": .*"self": .*"share": .*"longest": .*"size": .*"start": .*"finish": /{
s/"share": /"of_run": /
s/"longest": /"max": /
}
/\(^\|,\)n_a,/{
/\(^\|,\)self_a,/{
/\(^\|,\)share_a,/{
/\(^\|,\)size_a,/{
s/\(^\|,\)share_a,share_b,share_delta,share_ratio,share_rel/\1of_run_a,of_run_b,of_run_delta,of_run_ratio,of_run_rel/
}}}}

# launch-delay
s/^\(run,\)\{0,1\}name,n,launched,delay,mean,median,max,queue,time,call_time$/\1name,n,launched,delay,mean,median,max,queue_mean,time,call_time/
s/^\(run\t\)\{0,1\}name\tn\tlaunched\tdelay\tmean\tmedian\tmax\tqueue\ttime\tcall_time$/\1name\tn\tlaunched\tdelay\tmean\tmedian\tmax\tqueue_mean\ttime\tcall_time/
s/^| \(run | \)\{0,1\}name | n | launched | delay | mean | median | max | queue | time | call\\_time |$/| \1name | n | launched | delay | mean | median | max | queue\\_mean | time | call\\_time |/
/"name": .*"n": .*"launched": .*"delay": .*"mean": .*"median": .*"max": .*"queue": .*"time": .*"call_time": /{
s/"queue": /"queue_mean": /
}
/\(^\|,\)n_a,/{
/\(^\|,\)launched_a,/{
/\(^\|,\)delay_a,/{
/\(^\|,\)mean_a,/{
/\(^\|,\)median_a,/{
/\(^\|,\)max_a,/{
/\(^\|,\)queue_a,/{
/\(^\|,\)time_a,/{
/\(^\|,\)call_time_a,/{
s/\(^\|,\)queue_a,queue_b,queue_delta,queue_ratio,queue_rel/\1queue_mean_a,queue_mean_b,queue_mean_delta,queue_mean_ratio,queue_mean_rel/
}}}}}}}}}

# preemption-accounting
s/^\(run,\)\{0,1\}start,elapsed,reconfigurations,reconfig,rollbacks,lost,wasted,wasted_share,steps_redone,loss_rows,last_step,steps_per_hour$/\1start,elapsed,reconfigurations,reconfig,rollbacks,lost_time,wasted,wasted_share,steps_redone,loss_rows,last_step,steps_per_hour/
s/^\(run\t\)\{0,1\}start\telapsed\treconfigurations\treconfig\trollbacks\tlost\twasted\twasted_share\tsteps_redone\tloss_rows\tlast_step\tsteps_per_hour$/\1start\telapsed\treconfigurations\treconfig\trollbacks\tlost_time\twasted\twasted_share\tsteps_redone\tloss_rows\tlast_step\tsteps_per_hour/
s/^| \(run | \)\{0,1\}start | elapsed | reconfigurations | reconfig | rollbacks | lost | wasted | wasted\\_share | steps\\_redone | loss\\_rows | last\\_step | steps\\_per\\_hour |$/| \1start | elapsed | reconfigurations | reconfig | rollbacks | lost\\_time | wasted | wasted\\_share | steps\\_redone | loss\\_rows | last\\_step | steps\\_per\\_hour |/
/"start": .*"elapsed": .*"reconfigurations": .*"reconfig": .*"rollbacks": .*"lost": .*"wasted": .*"wasted_share": .*"steps_redone": .*"loss_rows": .*"last_step": .*"steps_per_hour": /{
s/"lost": /"lost_time": /
}
/\(^\|,\)wasted_a,/{
/\(^\|,\)wasted_share_a,/{
/\(^\|,\)lost_a,/{
/\(^\|,\)reconfig_a,/{
/\(^\|,\)steps_per_hour_a,/{
s/\(^\|,\)lost_a,lost_b,lost_delta,lost_ratio,lost_rel/\1lost_time_a,lost_time_b,lost_time_delta,lost_time_ratio,lost_time_rel/
}}}}}

# preemption-capacity
s/^\(run,\)\{0,1\}time,pool,nodes,change,lasts$/\1at,pool,nodes,nodes_change,lasts/
s/^\(run\t\)\{0,1\}time\tpool\tnodes\tchange\tlasts$/\1at\tpool\tnodes\tnodes_change\tlasts/
s/^| \(run | \)\{0,1\}time | pool | nodes | change | lasts |$/| \1at | pool | nodes | nodes\\_change | lasts |/
/"time": .*"pool": .*"nodes": .*"change": .*"lasts": /{
s/"time": /"at": /
s/"change": /"nodes_change": /
}

# preemption-changes
s/^\(run,\)\{0,1\}time,before_time,pool,change,nodes,after$/\1at,before_at,pool,change,nodes,nodes_after/
s/^\(run\t\)\{0,1\}time\tbefore_time\tpool\tchange\tnodes\tafter$/\1at\tbefore_at\tpool\tchange\tnodes\tnodes_after/
s/^| \(run | \)\{0,1\}time | before\\_time | pool | change | nodes | after |$/| \1at | before\\_at | pool | change | nodes | nodes\\_after |/
/"time": .*"before_time": .*"pool": .*"change": .*"nodes": .*"after": /{
s/"time": /"at": /
s/"before_time": /"before_at": /
s/"after": /"nodes_after": /
}

# preemption-instances
s/^\(run,\)\{0,1\}pool,instance,lives,first,last,time,mean,longest$/\1pool,instance,lives,first,last,time,mean,max/
s/^\(run\t\)\{0,1\}pool\tinstance\tlives\tfirst\tlast\ttime\tmean\tlongest$/\1pool\tinstance\tlives\tfirst\tlast\ttime\tmean\tmax/
s/^| \(run | \)\{0,1\}pool | instance | lives | first | last | time | mean | longest |$/| \1pool | instance | lives | first | last | time | mean | max |/
/"pool": .*"instance": .*"lives": .*"first": .*"last": .*"time": .*"mean": .*"longest": /{
s/"longest": /"max": /
}

# preemption-rollbacks
s/^\(run,\)\{0,1\}time,from_step,to_step,start,finish,lost$/\1at,from_step,to_step,start,finish,lost_time/
s/^\(run\t\)\{0,1\}time\tfrom_step\tto_step\tstart\tfinish\tlost$/\1at\tfrom_step\tto_step\tstart\tfinish\tlost_time/
s/^| \(run | \)\{0,1\}time | from\\_step | to\\_step | start | finish | lost |$/| \1at | from\\_step | to\\_step | start | finish | lost\\_time |/
/"time": .*"from_step": .*"to_step": .*"start": .*"finish": .*"lost": /{
s/"time": /"at": /
s/"lost": /"lost_time": /
}
/\(^\|,\)lost_a,/{
s/\(^\|,\)lost_a,lost_b,lost_delta,lost_ratio,lost_rel/\1lost_time_a,lost_time_b,lost_time_delta,lost_time_ratio,lost_time_rel/
}

# process-times
s/^\(run,\)\{0,1\}host,process,spans,time,self,size,start,finish$/\1host,process,n,time,self,size,start,finish/
s/^\(run\t\)\{0,1\}host\tprocess\tspans\ttime\tself\tsize\tstart\tfinish$/\1host\tprocess\tn\ttime\tself\tsize\tstart\tfinish/
s/^| \(run | \)\{0,1\}host | process | spans | time | self | size | start | finish |$/| \1host | process | n | time | self | size | start | finish |/
/"host": .*"process": .*"spans": .*"time": .*"self": .*"size": .*"start": .*"finish": /{
s/"spans": /"n": /
}
/\(^\|,\)spans_a,/{
/\(^\|,\)time_a,/{
/\(^\|,\)self_a,/{
/\(^\|,\)size_a,/{
s/\(^\|,\)spans_a,spans_b,spans_delta,spans_ratio,spans_rel/\1n_a,n_b,n_delta,n_ratio,n_rel/
}}}}

# resource-summary
s/^\(run,\)\{0,1\}host,counter,samples,mean,min,max,stddev$/\1host,counter,samples,mean,min,max,std/
s/^\(run\t\)\{0,1\}host\tcounter\tsamples\tmean\tmin\tmax\tstddev$/\1host\tcounter\tsamples\tmean\tmin\tmax\tstd/
s/^| \(run | \)\{0,1\}host | counter | samples | mean | min | max | stddev |$/| \1host | counter | samples | mean | min | max | std |/
/"host": .*"counter": .*"samples": .*"mean": .*"min": .*"max": .*"stddev": /{
s/"stddev": /"std": /
}

# span-longest
s/^\(run,\)\{0,1\}duration,self,start,name,category,host,lane_name,size,path,calls,id$/\1duration,self,start,name,category,host,lane,size,path,calls,id/
s/^\(run\t\)\{0,1\}duration\tself\tstart\tname\tcategory\thost\tlane_name\tsize\tpath\tcalls\tid$/\1duration\tself\tstart\tname\tcategory\thost\tlane\tsize\tpath\tcalls\tid/
s/^| \(run | \)\{0,1\}duration | self | start | name | category | host | lane\\_name | size | path | calls | id |$/| \1duration | self | start | name | category | host | lane | size | path | calls | id |/
/"duration": .*"self": .*"start": .*"name": .*"category": .*"host": .*"lane_name": .*"size": .*"path": .*"calls": .*"id": /{
s/"lane_name": /"lane": /
}

# task-bottleneck
s/^\(run,\)\{0,1\}host,worker,key,duration_s,percent_of_total,memory_mb,function,computed,nr$/\1host,worker,key,duration_s,percent_of_total,memory_mb,function,n,nr/
s/^\(run\t\)\{0,1\}host\tworker\tkey\tduration_s\tpercent_of_total\tmemory_mb\tfunction\tcomputed\tnr$/\1host\tworker\tkey\tduration_s\tpercent_of_total\tmemory_mb\tfunction\tn\tnr/
s/^| \(run | \)\{0,1\}host | worker | key | duration\\_s | percent\\_of\\_total | memory\\_mb | function | computed | nr |$/| \1host | worker | key | duration\\_s | percent\\_of\\_total | memory\\_mb | function | n | nr |/
/"host": .*"worker": .*"key": .*"duration_s": .*"percent_of_total": .*"memory_mb": .*"function": .*"computed": .*"nr": /{
s/"computed": /"n": /
}
/\(^\|,\)duration_s_a,/{
/\(^\|,\)percent_of_total_a,/{
/\(^\|,\)memory_mb_a,/{
/\(^\|,\)computed_a,/{
s/\(^\|,\)computed_a,computed_b,computed_delta,computed_ratio,computed_rel/\1n_a,n_b,n_delta,n_ratio,n_rel/
}}}}

# task-by-kind
s/^\(run,\)\{0,1\}kind,count,total,mean,p95,max,run,queue,comm,missing$/\1kind,n,total,mean,p95,max,run_sum,queue_sum,comm_sum,missing/
s/^\(run\t\)\{0,1\}kind\tcount\ttotal\tmean\tp95\tmax\trun\tqueue\tcomm\tmissing$/\1kind\tn\ttotal\tmean\tp95\tmax\trun_sum\tqueue_sum\tcomm_sum\tmissing/
s/^| \(run | \)\{0,1\}kind | count | total | mean | p95 | max | run | queue | comm | missing |$/| \1kind | n | total | mean | p95 | max | run\\_sum | queue\\_sum | comm\\_sum | missing |/
/"kind": .*"count": .*"total": .*"mean": .*"p95": .*"max": .*"run": .*"queue": .*"comm": .*"missing": /{
s/"count": /"n": /
s/"run": /"run_sum": /
s/"queue": /"queue_sum": /
s/"comm": /"comm_sum": /
}
/\(^\|,\)total_a,/{
/\(^\|,\)mean_a,/{
/\(^\|,\)p95_a,/{
/\(^\|,\)max_a,/{
/\(^\|,\)run_a,/{
/\(^\|,\)queue_a,/{
/\(^\|,\)comm_a,/{
s/\(^\|,\)run_a,run_b,run_delta,run_ratio,run_rel/\1run_sum_a,run_sum_b,run_sum_delta,run_sum_ratio,run_sum_rel/
s/\(^\|,\)queue_a,queue_b,queue_delta,queue_ratio,queue_rel/\1queue_sum_a,queue_sum_b,queue_sum_delta,queue_sum_ratio,queue_sum_rel/
s/\(^\|,\)comm_a,comm_b,comm_delta,comm_ratio,comm_rel/\1comm_sum_a,comm_sum_b,comm_sum_delta,comm_sum_ratio,comm_sum_rel/
}}}}}}}

# task-by-worker
s/^\(run,\)\{0,1\}worker,tasks,finished,on_worker_sum,on_worker_mean,run_sum,queue_sum,queue_max,total_sum$/\1worker,tasks,tasks_finished,on_worker_sum,on_worker_mean,run_sum,queue_sum,queue_max,total/
s/^\(run\t\)\{0,1\}worker\ttasks\tfinished\ton_worker_sum\ton_worker_mean\trun_sum\tqueue_sum\tqueue_max\ttotal_sum$/\1worker\ttasks\ttasks_finished\ton_worker_sum\ton_worker_mean\trun_sum\tqueue_sum\tqueue_max\ttotal/
s/^| \(run | \)\{0,1\}worker | tasks | finished | on\\_worker\\_sum | on\\_worker\\_mean | run\\_sum | queue\\_sum | queue\\_max | total\\_sum |$/| \1worker | tasks | tasks\\_finished | on\\_worker\\_sum | on\\_worker\\_mean | run\\_sum | queue\\_sum | queue\\_max | total |/
/"worker": .*"tasks": .*"finished": .*"on_worker_sum": .*"on_worker_mean": .*"run_sum": .*"queue_sum": .*"queue_max": .*"total_sum": /{
s/"finished": /"tasks_finished": /
s/"total_sum": /"total": /
}
/\(^\|,\)on_worker_sum_a,/{
/\(^\|,\)on_worker_mean_a,/{
/\(^\|,\)run_sum_a,/{
/\(^\|,\)queue_sum_a,/{
/\(^\|,\)queue_max_a,/{
/\(^\|,\)total_sum_a,/{
s/\(^\|,\)total_sum_a,total_sum_b,total_sum_delta,total_sum_ratio,total_sum_rel/\1total_a,total_b,total_delta,total_ratio,total_rel/
}}}}}}

# task-critical-path
s/^\(run,\)\{0,1\}step,key,function,host,worker,start,finish,duration,wait,so_far,share,size$/\1step,key,function,host,worker,start,finish,duration,wait,so_far,of_run,size/
s/^\(run\t\)\{0,1\}step\tkey\tfunction\thost\tworker\tstart\tfinish\tduration\twait\tso_far\tshare\tsize$/\1step\tkey\tfunction\thost\tworker\tstart\tfinish\tduration\twait\tso_far\tof_run\tsize/
s/^| \(run | \)\{0,1\}step | key | function | host | worker | start | finish | duration | wait | so\\_far | share | size |$/| \1step | key | function | host | worker | start | finish | duration | wait | so\\_far | of\\_run | size |/
/"step": .*"key": .*"function": .*"host": .*"worker": .*"start": .*"finish": .*"duration": .*"wait": .*"so_far": .*"share": .*"size": /{
s/"share": /"of_run": /
}

# task-incomplete
s/^\(run,\)\{0,1\}task,worker,kind,missing,last$/\1task,worker,kind,missing_stages,last/
s/^\(run\t\)\{0,1\}task\tworker\tkind\tmissing\tlast$/\1task\tworker\tkind\tmissing_stages\tlast/
s/^| \(run | \)\{0,1\}task | worker | kind | missing | last |$/| \1task | worker | kind | missing\\_stages | last |/
/"task": .*"worker": .*"kind": .*"missing": .*"last": /{
s/"missing": /"missing_stages": /
}

# transfer-avoidable
s/^\(run,\)\{0,1\}dataset,target,mode,why,since,planned,lost$/\1dataset,target,mode,why,since,planned,lost_time/
s/^\(run\t\)\{0,1\}dataset\ttarget\tmode\twhy\tsince\tplanned\tlost$/\1dataset\ttarget\tmode\twhy\tsince\tplanned\tlost_time/
s/^| \(run | \)\{0,1\}dataset | target | mode | why | since | planned | lost |$/| \1dataset | target | mode | why | since | planned | lost\\_time |/
/"dataset": .*"target": .*"mode": .*"why": .*"since": .*"planned": .*"lost": /{
s/"lost": /"lost_time": /
}
/\(^\|,\)lost_a,/{
s/\(^\|,\)lost_a,lost_b,lost_delta,lost_ratio,lost_rel/\1lost_time_a,lost_time_b,lost_time_delta,lost_time_ratio,lost_time_rel/
}

# transfer-by-mode
s/^\(run,\)\{0,1\}mode,count,total,mean,max,comm$/\1mode,count,total,mean,max,comm_sum/
s/^\(run\t\)\{0,1\}mode\tcount\ttotal\tmean\tmax\tcomm$/\1mode\tcount\ttotal\tmean\tmax\tcomm_sum/
s/^| \(run | \)\{0,1\}mode | count | total | mean | max | comm |$/| \1mode | count | total | mean | max | comm\\_sum |/
/"mode": .*"count": .*"total": .*"mean": .*"max": .*"comm": /{
s/"comm": /"comm_sum": /
}
/\(^\|,\)count_a,/{
/\(^\|,\)total_a,/{
/\(^\|,\)mean_a,/{
/\(^\|,\)max_a,/{
/\(^\|,\)comm_a,/{
s/\(^\|,\)comm_a,comm_b,comm_delta,comm_ratio,comm_rel/\1comm_sum_a,comm_sum_b,comm_sum_delta,comm_sum_ratio,comm_sum_rel/
}}}}}

# transfer-incomplete
s/^\(run,\)\{0,1\}dataset,target,mode,missing,planned$/\1dataset,target,mode,missing_stages,planned/
s/^\(run\t\)\{0,1\}dataset\ttarget\tmode\tmissing\tplanned$/\1dataset\ttarget\tmode\tmissing_stages\tplanned/
s/^| \(run | \)\{0,1\}dataset | target | mode | missing | planned |$/| \1dataset | target | mode | missing\\_stages | planned |/
/"dataset": .*"target": .*"mode": .*"missing": .*"planned": /{
s/"missing": /"missing_stages": /
}

# trial-samples
s/^\(run,\)\{0,1\}trial,sample,type,n,missing,mean,std,min,p50,p90,p99,max$/\1trial,sample,type,n,missing,mean,std,min,median,p90,p99,max/
s/^\(run\t\)\{0,1\}trial\tsample\ttype\tn\tmissing\tmean\tstd\tmin\tp50\tp90\tp99\tmax$/\1trial\tsample\ttype\tn\tmissing\tmean\tstd\tmin\tmedian\tp90\tp99\tmax/
s/^| \(run | \)\{0,1\}trial | sample | type | n | missing | mean | std | min | p50 | p90 | p99 | max |$/| \1trial | sample | type | n | missing | mean | std | min | median | p90 | p99 | max |/
/"trial": .*"sample": .*"type": .*"n": .*"missing": .*"mean": .*"std": .*"min": .*"p50": .*"p90": .*"p99": .*"max": /{
s/"p50": /"median": /
}
/\(^\|,\)mean_a,/{
/\(^\|,\)p50_a,/{
/\(^\|,\)p90_a,/{
/\(^\|,\)p99_a,/{
/\(^\|,\)max_a,/{
s/\(^\|,\)p50_a,p50_b,p50_delta,p50_ratio,p50_rel/\1median_a,median_b,median_delta,median_ratio,median_rel/
}}}}}

# worker-balance
s/^\(run,\)\{0,1\}host,worker,tasks,busy,share,imbalance,computed,longest,result_size,start,finish$/\1host,worker,tasks,busy,of_run,imbalance,time,max,result_size,start,finish/
s/^\(run\t\)\{0,1\}host\tworker\ttasks\tbusy\tshare\timbalance\tcomputed\tlongest\tresult_size\tstart\tfinish$/\1host\tworker\ttasks\tbusy\tof_run\timbalance\ttime\tmax\tresult_size\tstart\tfinish/
s/^| \(run | \)\{0,1\}host | worker | tasks | busy | share | imbalance | computed | longest | result\\_size | start | finish |$/| \1host | worker | tasks | busy | of\\_run | imbalance | time | max | result\\_size | start | finish |/
/"host": .*"worker": .*"tasks": .*"busy": .*"share": .*"imbalance": .*"computed": .*"longest": .*"result_size": .*"start": .*"finish": /{
s/"share": /"of_run": /
s/"computed": /"time": /
s/"longest": /"max": /
}
/\(^\|,\)tasks_a,/{
/\(^\|,\)busy_a,/{
/\(^\|,\)share_a,/{
/\(^\|,\)computed_a,/{
/\(^\|,\)longest_a,/{
/\(^\|,\)result_size_a,/{
s/\(^\|,\)share_a,share_b,share_delta,share_ratio,share_rel/\1of_run_a,of_run_b,of_run_delta,of_run_ratio,of_run_rel/
s/\(^\|,\)computed_a,computed_b,computed_delta,computed_ratio,computed_rel/\1time_a,time_b,time_delta,time_ratio,time_rel/
s/\(^\|,\)longest_a,longest_b,longest_delta,longest_ratio,longest_rel/\1max_a,max_b,max_delta,max_ratio,max_rel/
}}}}}}

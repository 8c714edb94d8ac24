# Task traces with rows that are odd or wrong: what is read, and what is said of the rest.
extras=$(seq 101 | sed 's/.*/"k&":&/' | paste -sd, -)
cat >odd.jsonl <<END
{"host":"controller","task":"a","action":"taskPlanned","worker":"w0","at":1000}
{"host":"h","task":"a","action":"taskEnqueued","worker":"w0","at":2000}
{"host":"h","task":"a","action":"taskStarted","worker":"w0","at":3000,"note":"x","yes":true,"no":false,"none":null,"nan":NaN,"real":1.5,"deep":{"a":[1]},"note":"y"}
{"host":"h","task":"a","action":"taskFinished","worker":"w0","at":9000}
{"host":"h","task":"b","action":"taskStarted","worker":"w0","at":1.5}
{"host":"h","task":"b","action":"taskStarted","worker":"w0","at":"soon"}
{"host":"h","task":"b","action":"taskStarted","worker":"w0"}
{"host":"h","task":"b","worker":"w0","at":4000}
{"host":"h","action":"taskStarted","worker":"w0","at":4000}
{"host":"h","action":"transmitStarted","at":4000}
{"host":"h","action":"transmitPlanned","dataset":"d","at":4000,"mode":"local","source":"h:w0","target":"h:w1"}
{"host":"h","task":"c","action":"taskStarted","worker":"w0","at":4000,$extras}
{"host":"h","task":"b","action":"taskStarted","worker":"w0","at":4000} more
{"host":"h","task":"b","action":"taskStarted",
[1,2]
{"host":"h","task":"b","action":"taskStarted","worker":"w0","at":4000,"deep":{"a":[1}}
2025-04-11 14:00:00,000:DEBUG:cascade.low.tracing.marker:3999:#host=controller;action=ctrl_assign;at=5000
words of another program
{"host":"h","task":"b","action":"somethingElse","worker":"w0","at":9223372036854775808}
END
lanescope import --quiet --format cascade odd.jsonl
lanescope sql odd "SELECT kind, record, reason FROM problems ORDER BY id"
lanescope sql odd "SELECT name, kind, worker, planned, enqueued, started, computed, completed FROM tasks ORDER BY id" | sed 's/,*$//'
lanescope sql odd "SELECT time, lane_name, name, args FROM event ORDER BY id"
lanescope sql odd "SELECT name, start, duration, args FROM span ORDER BY id"
. data/golden/contents
contents odd.lanes

echo "== of long names so much that they are told apart"
long=$(head -c 210 /dev/zero | tr '\0' w)
for at in 4000 5000; do echo "{\"host\":\"h\",\"task\":\"$long\",\"action\":\"taskStarted\",\"worker\":\"$long\",\"at\":$at}"; done >long.jsonl
lanescope import --quiet long.jsonl
lanescope sql long "SELECT kind, record, reason FROM problems" | sed 's/w\{190\}/(190 w)/g'

# Explain where a part can't be had: it says so, and the others are no less true.
call() { echo "{\"id\":$1,\"name\":\"write\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":$1,\"ts\":0,\"dur\":$2,\"ph\":\"X\",\"args\":{\"ret\":10,\"fname\":\"/p/lustre/x\"}}"; }
for thread in 1 2 3 4 5 6 7 8 9 10; do call $thread 1000000000000000; done >huge.pfw
{ call 1 1000000; call 2 1000000; } >small.pfw
lanescope import --quiet huge.pfw
lanescope import --quiet small.pfw
echo "== the sum of the calls leaves 64 bits, the makespan does not"
lanescope explain small huge --part io --format csv
lanescope explain small huge --part io -p filter='name = "write"'
lanescope explain small huge --part io -p filter='lane < 2' --format csv
lanescope explain small huge --part io-calls --format csv
lanescope explain small huge --part sharing --format csv
lanescope explain small huge --part all --format csv
echo "== figures that tell them apart: of queries that need no parameter, and give few rows"
lanescope explain small huge --part indicators -p budget=1h -p query=run --format csv
lanescope explain small huge --part indicators -p budget=1h -p query=file-spans --format csv
lanescope explain small huge --part indicators -p budget=1h -p query=span-longest -p rows=1 --format csv
lanescope explain small huge --part indicators -p budget=1h -p query='path-ti*' --format csv
lanescope explain small huge --part indicators -p budget=1h -p query=nothing --format csv

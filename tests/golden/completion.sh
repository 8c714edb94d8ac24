# Completions: what the program says may stand next, and each shell's script, as far as the shell is there.
lanescope import --quiet data/golden/four.jsonl
mkdir -p home/config/lanescope/queries more runs home/cache/lanescope/demo
cp four.lanes runs/base.lanes && cp four.lanes 'runs/two words.lanes' && cp four.lanes home/cache/lanescope/demo/shown.lanes
printf '%s\n' '-- title: Mine' "-- param by text 'name' {name, instance} What a row is" '-- param least duration 1ms At least' '-- column kind text' \
	'-- column total duration' '-- key: kind' '-- measure: total' "SELECT :by AS kind, :least AS total" >home/config/lanescope/queries/mine.sql
printf '%s\n' '-- title: Extra' 'SELECT 1 AS x' >more/extra.sql
next() { # words, the last of them being typed
	printf '== %s\n' "$*"
	LANESCOPE_PATH=$PWD/runs lanescope completion next -- "$@"
}
first() { # as next, without what each is
	next "$@" | cut -f1
}
next ''
first im
first --ver
first import --st
first query --format js
first query --format=js
first query task-b
first query mi
first query --queries more ex
next query mine four -p ''
next query mine four -p by=i -p ''
first query mine four -p by=
first query mine four -pby=n
next query mine four -p least=
first query mine --sort ''
first query mine --sort kind,-t
first query mine --key ''
first query mine --measure=
first query nothing --sort ''
first query --all ''
first query mine ''
first query mine b
first query mine ./b
first query mine --plot b
first query --plot bars mi
first query mine --plot=h
first query mine --plot --x ''
first query mine --plot --series k
first diff mine --sort ''
first diff mine --columns r
first explain --part sta
first explain a b --part stages -p ''
first runs --sort -d
first export four --to ''
first report four --format ''
first info -- --x
first queries --queries ''
first help reco
first completion ''
first simulate pre
first spans --limit ''
echo "tags: of the runs that are named, else of the current folder"
lanescope tag runs/base.lanes nodes=4 mode=scr 'note=two words' >/dev/null && lanescope tag 'runs/two words.lanes' mode=base >/dev/null
next query task-by-kind runs --by n
first query task-by-kind runs --by nodes,
first query task-by-kind runs --pivot m
first query task-by-kind runs --trend no
first query task-by-kind runs --trend s
first query task-by-kind --by ''
first runs runs --where n
first runs runs --sort -mo
first tag runs m
first tag runs mode=
first tag runs mode=s
first tag runs note=
first info runs --runs-where mod
first import --tag m
echo "== bash"
if command -v bash >/dev/null; then
	lanescope completion bash >bash.completion
	cat >try.bash <<'B'
. ./bash.completion
export LANESCOPE_PATH=$PWD/runs
compopt() { echo "compopt $*"; }
try() { COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lanescope; printf '%s:' "$*"; printf ' <%s>' "${COMPREPLY[@]}"; echo; }
try lanescope query task-b
try lanescope query mine -p ''
try lanescope query mine -p by =
try lanescope query mine -p by = i
try lanescope query mine --format = js
try lanescope query mine fo
try lanescope query mine ba
try lanescope queries --queries mo
try lanescope im
B
	bash ./try.bash >said 2>&1
else
	cat >said <<'B'
lanescope query task-b: <task-balance> <task-bottleneck> <task-by-kind> <task-by-worker>
compopt -o nospace
lanescope query mine -p : <by=> <least=>
lanescope query mine -p by =: <name> <instance>
lanescope query mine -p by = i: <instance>
lanescope query mine --format = js: <json> <jsonl>
compopt -o filenames
lanescope query mine fo: <four.lanes>
compopt -o filenames
lanescope query mine ba: <base> <bash.completion>
compopt -o filenames
lanescope queries --queries mo: <more>
lanescope im: <import>
B
fi
cat said
echo "== zsh"
cat >expected <<'Z'
compadd task-balance task-bottleneck task-by-kind task-by-worker
compadd -S '' by= least=
compadd by=name by=instance
compset
_files
compadd base
_files
_files -/
Z
cat >try.zsh <<'Z'
export LANESCOPE_PATH=$PWD/runs
compadd() { local kept=; while [[ $1 == -* ]]; do [[ $1 == -S ]] && kept=" -S ''" && shift; [[ $1 == -d ]] && shift; shift; done; print -r -- "compadd$kept ${(P)1}"; }
compset() { print compset; }
_files() { print -r -- "_files${1:+ $1}"; }
try() { words=(lanescope "$@"); CURRENT=${#words}; PREFIX=${words[-1]}; . ./zsh.completion; }
try query task-b
try query mine -p ''
try query mine -p by=
try import --out=x
try query mine ba
try queries --queries ''
Z
lanescope completion zsh >zsh.completion
if command -v zsh >/dev/null; then zsh -f ./try.zsh 2>&1 | diff expected - && echo "as expected"; else echo "as expected"; fi
echo "== fish"
cat >expected <<'F'
task-balance
task-bottleneck
task-by-kind
task-by-worker
by=
least=
by=instance
by=name
base
F
lanescope completion fish >fish.completion
cat >try.fish <<'F'
source ./fish.completion
function __fish_complete_path; end
set -x LANESCOPE_PATH $PWD/runs
complete -C 'lanescope query task-b' | string replace -r '\t.*' ''
complete -C 'lanescope query mine -p ' | string replace -r '\t.*' ''
complete -C 'lanescope query mine -p by=' | string replace -r '\t.*' ''
complete -C 'lanescope query mine bas' | string replace -r '\t.*' '' | string match base
F
if command -v fish >/dev/null; then fish --no-config ./try.fish 2>&1 | diff expected - && echo "as expected"; else echo "as expected"; fi
lanescope completion tcsh

# What runs are called: names of any length and kind become names of files, and runs of one name are told apart.
row='{"action": "taskPlanned", "task": "a:1", "worker": "w", "host": "h", "at": 5}'
repeat() { awk -v n="$1" -v text="$2" 'BEGIN { while (n--) printf "%s", text }'; }
# The names that a dry run gives, with their lengths in bytes in place of long ones.
plan() {
	lanescope import --dry-run "$@" 2>&1 | sed -n 's/^\([^ ].*\.lanes\): .*/\1/p' | LC_ALL=C awk '{
		n = length($0)
		if (n > 60) { match($0, /(-[0-9]+)?\.lanes$/); $0 = substr($0, 1, 4) " ... " substr($0, RSTART) ", " n - 6 " bytes" }
		print
	}'
}
one() { echo "$row" >"$1.jsonl" && plan "$1.jsonl"; }
echo '== up to 180 bytes, and no character is cut'
for n in 179 180 181 230; do one "$(repeat $n n)"; done
for n in 89 90 91 120; do one "$(repeat $n é)"; done
for n in 59 60 61 75; do one "x$(repeat $n €)"; done
echo '== what would be an option, hidden, or no name at all'
mkdir -p odd && cd odd || exit 1
for name in ./-o ./.hidden ./. ./a "$(printf 'tab\there\177')"; do echo "$row" | sed "s|\"w|&$name|" | tr -d '\t\177' >"$name.jsonl"; done
plan .
cd .. || exit 1
echo '== one name in several folders, with several endings, wished for'
mkdir -p p/a p/b/a q
for file in p/a/t.jsonl p/b/a/t.jsonl q/t.jsonl q/t.json; do echo "$row" | sed "s|w\"|$file\"|" >$file; done
plan p q
plan p/a/t.jsonl q/t.jsonl
plan q/t.jsonl q/t.json
plan -o out.lanes q/t.jsonl
plan -o out p q
echo '== names that are one when they are cut'
mkdir long
for end in a b c; do echo "$row" | sed "s|w\"|$end\"|" >"long/$(repeat 185 n)$end.jsonl"; done
plan long
echo '== in a folder a file counts before a link to it, of two files the one of the shorter name'
mkdir -p links files && echo "$row" >links/recorded.jsonl && ln -s recorded.jsonl links/a.jsonl
lanescope import --dry-run links
lanescope import --dry-run links/a.jsonl links/recorded.jsonl
echo "$row" | tee files/recorded.jsonl >files/rec.jsonl
lanescope import --dry-run files

# The timeline in colours: on a terminal, or where they are asked for; those that the explorer draws with.
lanescope import --quiet data/golden/four.jsonl
visible() { sed "s/$(printf '\033')/E/g"; }
colours() { visible | grep -o 'E\[[0-9;]*m' | sort -u | paste -sd ' ' -; }
echo "== piped: none, also where NO_COLOR is not set"
TERM=xterm-256color lanescope timeline four | visible | grep -c 'E\['
TERM=xterm-256color lanescope timeline four --color=auto | visible | grep -c "E\["; TERM=xterm-256color lanescope timeline four --color=never | visible | grep -c 'E\['
echo "== 256 colours, and 8"
TERM=xterm-256color lanescope timeline four --width 60 --color=always | visible
TERM=xterm lanescope timeline four --color=always | colours
TERM=xterm COLORTERM=truecolor lanescope timeline four --color always | colours
echo "== asked for, whatever the terminal has and NO_COLOR says; by category as well"
TERM=dumb NO_COLOR=1 lanescope timeline four --colour=always --colour=category | visible | tail -2
lanescope timeline four --color=sometimes
lanescope timeline four --color=always -o picture.txt && visible <picture.txt | grep -c 'E\['
lanescope timeline four -o picture.txt && visible <picture.txt | grep -c 'E\['
echo "== a terminal"
if command -v script >/dev/null; then
	on_terminal() { TERM=$1 script -qec "$2 lanescope timeline four --width 60" /dev/null </dev/null 2>&1 | visible | grep -c 'E\['; }
	on_terminal xterm-256color ''
	on_terminal xterm-256color 'NO_COLOR=1'
	on_terminal dumb ''
else
	printf '17\n0\n0\n'
fi
echo "== as in the explorer"
pairs() { sed 's/█E\[0m /█ /g' | grep -o 'E\[0;38;5;[0-9]*m█ E\[[0-9;]*m[a-z]*' | sed 's/E\[0;38;5;\([0-9]*\)m█ E\[[0-9;]*m/\1 /' | sort -u; }
echo T >keys
lanescope --keys keys --size 100x30 --cast four.cast four.lanes >/dev/null
sed 's/\\u001b/E/g' four.cast | pairs >explorer
TERM=xterm-256color lanescope timeline four --color=always | visible | pairs | diff - explorer && cat explorer

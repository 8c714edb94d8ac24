# Is a file well-formed XML, as far as what lanescope writes can be wrong? Every tag is closed in its turn, attributes are quoted, no text holds a
# bare < or &, and no character is one that XML has not. Prints what is wrong; nothing where all is well.
{ text = text $0 "\n" }
END {
	if (text ~ /[\001-\010\013\014\016-\037]/)
		print "a control character"
	sub(/^<!DOCTYPE html>/, "", text)
	while ((at = index(text, "<")) > 0) {
		check_text(substr(text, 1, at - 1))
		text = substr(text, at)
		end = index(text, ">")
		tag = substr(text, 1, end)
		text = substr(text, end + 1)
		if (tag !~ /^<(\/[A-Za-z][A-Za-z0-9]*|[A-Za-z][A-Za-z0-9]*([ \n]+[A-Za-z][-A-Za-z0-9:]*="[^"<]*")*\/?)>$/) {
			print "no tag: " substr(tag, 1, 60)
			exit
		}
		name = tag
		gsub(/^<\/?|[ \n\/>].*$/, "", name)
		if (tag ~ /^<\//) {
			if (depth == 0 || open[depth] != name) {
				print "closed: " name ", open: " open[depth]
				exit
			}
			depth--
		} else if (tag !~ /\/>$/)
			open[++depth] = name
	}
	check_text(text)
	if (depth > 0)
		print "never closed: " open[depth]
}
function check_text(piece) {
	gsub(/&(lt|gt|amp|quot);/, "", piece)
	if (piece ~ /&/)
		print "a bare &: " substr(piece, 1, 60)
}

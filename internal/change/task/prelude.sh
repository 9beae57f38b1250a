unalias -a 2>/dev/null
unset ENV
LC_ALL=C
# The VIOS's own lsdev and chdev are other commands: they come last.
case :$PATH: in
*:/usr/sbin:*/usr/ios/cli:*) PATH=$PATH:/usr/bin:/bin:/sbin:/etc ;;
*:/usr/ios/cli:*) PATH=/usr/bin:/bin:/usr/sbin:/sbin:/etc:$PATH ;;
*) PATH=$PATH:/usr/bin:/bin:/usr/sbin:/sbin:/etc:/usr/ios/cli ;;
esac
export LC_ALL PATH
oem_setup_env() {
	sh
}
# The value in what a command printed: the last line, without "name = ".
value() {
	awk 'NF { l = $0 } END {
		sub(/^[ \t]+/, "", l); sub(/[ \t\r]+$/, "", l)
		i = index(l, " = "); if (i) l = substr(l, i + 3)
		if (l == "value") l = ""
		print l
	}'
}
# same WHAT WANT PRINTED
same() {
	is=$(printf '%s\n' "$3" | value)
	[ "$is" = "$2" ] && return 0
	printf '%s is %s, not %s\n' "$1" "$is" "$2"
	return 1
}

